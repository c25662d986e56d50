-- The outbox: one row per event, written in the transaction of the business change, never changed afterwards.

CREATE TABLE onceward.outbox_events (
  -- Version 7, so that it carries the event's time to the millisecond: the envelope's occurred_at, and the partition.
  id uuid NOT NULL DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  event_type text NOT NULL,
  payload_version integer NOT NULL DEFAULT 1,
  aggregate_type text NOT NULL,
  aggregate_id text NOT NULL,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  business_key text,
  request_id text,
  correlation_id text,
  traceparent text,
  -- json and not jsonb: the writer's text, byte for byte.
  payload json NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- The writing transaction, with its epoch: compared with the audited snapshot.
  xid xid8 NOT NULL DEFAULT pg_current_xact_id(),
  PRIMARY KEY (id),
  CONSTRAINT outbox_events_id_is_version_7 CHECK (onceward.is_uuid_v7(id)),
  -- The year 10000 in milliseconds: later times have no four-digit year in RFC 3339.
  CONSTRAINT outbox_events_id_before_year_10000 CHECK (id < 'e677d21f-dc00-0000-0000-000000000000'),
  CONSTRAINT outbox_events_event_type_form
    CHECK (event_type ~ '^[a-z][a-z0-9_]*(\.[a-z0-9_]+)*$' AND char_length(event_type) <= 120),
  -- No dots: the topic is named after it, and Kafka confuses a.b with a_b in its metrics.
  CONSTRAINT outbox_events_aggregate_type_form
    CHECK (aggregate_type ~ '^[a-z][a-z0-9_]*$' AND char_length(aggregate_type) <= 120),
  CONSTRAINT outbox_events_resource_type_form
    CHECK (resource_type ~ '^[a-z][a-z0-9_]*$' AND char_length(resource_type) <= 120),
  CONSTRAINT outbox_events_payload_version_positive CHECK (payload_version > 0),
  CONSTRAINT outbox_events_aggregate_id_length CHECK (char_length(aggregate_id) BETWEEN 1 AND 200),
  CONSTRAINT outbox_events_resource_id_length CHECK (char_length(resource_id) BETWEEN 1 AND 200),
  CONSTRAINT outbox_events_business_key_length CHECK (char_length(business_key) BETWEEN 1 AND 200),
  CONSTRAINT outbox_events_request_id_form CHECK (request_id ~ '^[!-~]{1,128}$'),
  CONSTRAINT outbox_events_correlation_id_form CHECK (correlation_id ~ '^[!-~]{1,128}$'),
  -- W3C Trace Context, section 3.2.
  CONSTRAINT outbox_events_traceparent_form CHECK (traceparent ~ '^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}$'),
  CONSTRAINT outbox_events_payload_size CHECK (octet_length(payload::text) <= 262144),
  CONSTRAINT outbox_events_payload_without_secret CHECK (NOT onceward.json_has_secret(payload))
) PARTITION BY RANGE (id);

-- For the audit: the rows of a range of transactions.
CREATE INDEX outbox_events_by_xid ON onceward.outbox_events (xid);

CALL onceward.isolate_by_workspace('onceward.outbox_events');

GRANT SELECT ON onceward.outbox_events TO onceward_app;
GRANT INSERT (id, workspace_id, event_type, payload_version, aggregate_type, aggregate_id, resource_type, resource_id,
    business_key, request_id, correlation_id, traceparent, payload)
  ON onceward.outbox_events TO onceward_app;

CREATE POLICY relay_sees_all ON onceward.outbox_events FOR SELECT TO onceward_relay USING (true);
GRANT SELECT ON onceward.outbox_events TO onceward_relay;

CREATE POLICY ops_see_all ON onceward.outbox_events FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.outbox_events TO onceward_ops, onceward_ops_read;

-- The safety net: an id of a day without a partition lands here. Such a day then stays here and is reported.
CREATE TABLE onceward.outbox_events_default PARTITION OF onceward.outbox_events DEFAULT;
CALL onceward.isolate_by_workspace('onceward.outbox_events_default');

-- Makes the partitions of a range of days (UTC), counted from today, and says for each: created, present, locked (try
-- again later) or default_has_rows (rows of that day are in the DEFAULT partition, where it stays).
-- It runs with the rights of the tables' owner and looks at no rows. Writers are not held up: ATTACH asks the parent
-- for a lock that inserts do not mind, and gives up after lock_timeout where somebody holds the DEFAULT partition.
CREATE FUNCTION onceward.outbox_create_partitions(first_day integer DEFAULT 0, last_day integer DEFAULT 7)
RETURNS TABLE (partition_name text, outcome text)
LANGUAGE plpgsql SECURITY DEFINER SET search_path = onceward, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  day_start timestamp;
BEGIN
  IF first_day IS NULL OR last_day IS NULL OR first_day < -7 OR last_day > 60 OR first_day > last_day THEN
    RAISE EXCEPTION 'no range of days: % to %', first_day, last_day
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Give days between -7 and 60, counted from today.';
  END IF;
  FOR day_offset IN first_day..last_day LOOP
    day_start := date_trunc('day', now() AT TIME ZONE 'UTC') + make_interval(days => day_offset);
    partition_name := 'outbox_events_' || to_char(day_start, 'YYYYMMDD');
    IF to_regclass('onceward.' || partition_name) IS NOT NULL THEN
      outcome := 'present';
    ELSE
      BEGIN
        -- Made apart and attached: CREATE … PARTITION OF would lock out every writer.
        EXECUTE format('CREATE TABLE onceward.%I (LIKE onceward.outbox_events INCLUDING ALL)', partition_name);
        EXECUTE format('CALL onceward.isolate_by_workspace(%L)', 'onceward.' || partition_name);
        EXECUTE format(
          'ALTER TABLE onceward.outbox_events ATTACH PARTITION onceward.%I FOR VALUES FROM (%L) TO (%L)',
          partition_name,
          onceward.uuid_v7_lower_bound(day_start AT TIME ZONE 'UTC'),
          onceward.uuid_v7_lower_bound((day_start + interval '1 day') AT TIME ZONE 'UTC'));
        outcome := 'created';
      EXCEPTION
        WHEN lock_not_available THEN
          outcome := 'locked';
        WHEN check_violation THEN
          outcome := 'default_has_rows';
        WHEN duplicate_table THEN
          outcome := 'present';
      END;
    END IF;
    RETURN NEXT;
  END LOOP;
END
$$;

GRANT EXECUTE ON FUNCTION onceward.outbox_create_partitions(integer, integer) TO onceward_relay;

-- Yesterday too: a writer's clock may be behind. (A DO block, since a migration should print nothing.)
DO $$ BEGIN PERFORM onceward.outbox_create_partitions(-1, 7); END $$;

-- What the relay streams: inserts only, under the parent's name, and only the columns that the envelope needs.
-- (created_at would cost the engine a parse per row, and it cannot decode xid8.)
CREATE PUBLICATION onceward_outbox
  FOR TABLE onceward.outbox_events (id, workspace_id, event_type, payload_version, aggregate_type, aggregate_id,
    resource_type, resource_id, business_key, request_id, correlation_id, traceparent, payload)
  WITH (publish = 'insert', publish_via_partition_root = true);
