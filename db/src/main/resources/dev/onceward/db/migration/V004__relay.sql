-- What the relay remembers, and the events that it could not send.

CREATE TABLE onceward.relay_state (
  -- The replication slot's name.
  relay text PRIMARY KEY,
  -- Of pg_control_system(): another one means another server.
  system_identifier bigint,
  delivered_snapshot pg_snapshot,
  delivered_lsn pg_lsn,
  delivered_at timestamptz,
  audited_snapshot pg_snapshot,
  audited_at timestamptz,
  kafka_positions json,
  -- Topic → partition count when first seen. Growth moves aggregates to other partitions, so it is an operator's step.
  topic_partitions jsonb NOT NULL DEFAULT '{}'
);

GRANT SELECT, INSERT, UPDATE ON onceward.relay_state TO onceward_relay;
GRANT SELECT ON onceward.relay_state TO onceward_ops, onceward_ops_read, onceward_definer;

CREATE TABLE onceward.parked_events (
  event_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  -- The record as it would be sent.
  topic text NOT NULL,
  partition_key text NOT NULL,
  record_key bytea NOT NULL,
  record_value bytea NOT NULL,
  record_headers json NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  attempt_count integer NOT NULL DEFAULT 0,
  next_attempt_at timestamptz NOT NULL DEFAULT now(),
  locked_by text,
  locked_until timestamptz,
  last_error_code text,
  last_error_summary text,
  parked_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT parked_events_status_known CHECK (status IN ('pending', 'dead_letter', 'discarded')),
  CONSTRAINT parked_events_attempt_count_not_negative CHECK (attempt_count >= 0),
  CONSTRAINT parked_events_lock_is_whole CHECK ((locked_by IS NULL) = (locked_until IS NULL)),
  CONSTRAINT parked_events_error_without_secret CHECK (NOT onceward.text_has_secret(last_error_summary))
);

CALL onceward.isolate_by_workspace('onceward.parked_events');

CREATE POLICY relay_sees_all ON onceward.parked_events FOR SELECT TO onceward_relay USING (true);
GRANT SELECT, INSERT, UPDATE, DELETE ON onceward.parked_events TO onceward_relay;
-- For outbox_event_status; the record itself is the relay's.
GRANT SELECT (event_id, workspace_id, status) ON onceward.parked_events TO onceward_app;
CREATE POLICY ops_see_all ON onceward.parked_events FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.parked_events TO onceward_ops, onceward_ops_read;

-- The one fact of relay_state that concerns everybody: transactions visible in it are proven to be in Kafka. Null as
-- long as nothing was audited.
CREATE FUNCTION onceward.audited_snapshot() RETURNS pg_snapshot
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
  SELECT s.audited_snapshot FROM onceward.relay_state s WHERE (SELECT count(*) FROM onceward.relay_state) = 1
$$;

GRANT EXECUTE ON FUNCTION onceward.audited_snapshot() TO onceward_app, onceward_relay, onceward_ops, onceward_ops_read;

GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.audited_snapshot() OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;

-- How far each event is, without a write per event.
CREATE VIEW onceward.outbox_event_status WITH (security_invoker = true) AS
SELECT
  e.id AS event_id,
  e.workspace_id,
  e.event_type,
  CASE
    WHEN p.status = 'pending' THEN 'parked'
    WHEN p.status IS NOT NULL THEN p.status
    WHEN pg_visible_in_snapshot(e.xid, audited.snapshot) THEN 'dispatched'
    ELSE 'pending'
  END AS status
FROM onceward.outbox_events e
LEFT JOIN onceward.parked_events p ON p.event_id = e.id
CROSS JOIN (SELECT onceward.audited_snapshot() AS snapshot) AS audited;

GRANT SELECT ON onceward.outbox_event_status TO onceward_app, onceward_relay, onceward_ops, onceward_ops_read;
