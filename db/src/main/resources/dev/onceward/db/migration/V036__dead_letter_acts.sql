-- What operators do to dead letters: they send them again, or say why nobody will. Each act is kept, since its object is
-- not: a redriven event leaves parked_events, a redriven operation forgets its error, and Kafka's records cannot change.

CREATE TABLE onceward.dead_letter_acts (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  -- All acts of one command have the same; what it sends again bears it as header replay_id.
  replay_id uuid NOT NULL,
  -- Null where a record does not say whose it is.
  workspace_id uuid,
  kind text NOT NULL,
  act text NOT NULL,
  event_id uuid,
  operation_id uuid,
  -- Where the record lies. With the topic's own id, since a topic that is made anew counts from zero.
  topic text,
  topic_id uuid,
  topic_partition integer,
  topic_offset bigint,
  -- What it was before.
  event_type text,
  last_error_code text NOT NULL,
  last_error_summary text,
  attempt_count integer NOT NULL,
  -- Why nobody will try it again.
  reason text,
  acted_at timestamptz NOT NULL DEFAULT now(),
  acted_by text NOT NULL,
  CONSTRAINT dead_letter_acts_kind_known CHECK (kind IN ('parked', 'operation', 'record')),
  CONSTRAINT dead_letter_acts_act_known CHECK (act IN ('redriven', 'discarded')),
  CONSTRAINT dead_letter_acts_names_its_object CHECK (CASE kind
    WHEN 'parked' THEN event_id IS NOT NULL AND workspace_id IS NOT NULL
    WHEN 'operation' THEN operation_id IS NOT NULL AND event_id IS NOT NULL AND workspace_id IS NOT NULL
    ELSE num_nulls(topic, topic_id, topic_partition, topic_offset) = 0 END),
  CONSTRAINT dead_letter_acts_reason_of_discard CHECK ((act = 'discarded') = (reason IS NOT NULL)),
  CONSTRAINT dead_letter_acts_reason_length CHECK (char_length(reason) BETWEEN 1 AND 500),
  CONSTRAINT dead_letter_acts_reason_without_secret CHECK (NOT onceward.text_has_secret(reason)),
  CONSTRAINT dead_letter_acts_error_without_secret CHECK (NOT onceward.text_has_secret(last_error_summary)),
  CONSTRAINT dead_letter_acts_acted_by_length CHECK (char_length(acted_by) BETWEEN 1 AND 200),
  CONSTRAINT dead_letter_acts_acted_by_without_secret CHECK (NOT onceward.text_has_secret(acted_by))
);

CREATE INDEX dead_letter_acts_by_event ON onceward.dead_letter_acts (event_id) WHERE event_id IS NOT NULL;
CREATE INDEX dead_letter_acts_by_operation ON onceward.dead_letter_acts (operation_id) WHERE operation_id IS NOT NULL;
CREATE INDEX dead_letter_acts_by_record ON onceward.dead_letter_acts (topic_id, topic_partition, topic_offset)
  WHERE topic_id IS NOT NULL;

CALL onceward.isolate_by_workspace('onceward.dead_letter_acts');

CREATE POLICY ops_see_all ON onceward.dead_letter_acts FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
CREATE POLICY ops_act_in_all ON onceward.dead_letter_acts FOR INSERT TO onceward_ops WITH CHECK (true);
GRANT SELECT ON onceward.dead_letter_acts TO onceward_ops, onceward_ops_read;
GRANT INSERT ON onceward.dead_letter_acts TO onceward_ops;

-- A redriven operation is a retry: it is queued anew, and a new event asks for it. The operator's role can do that and no
-- more: it leaves alone what has not failed, and writes no event but the one that a queued operation waits for.
GRANT UPDATE (event_id, state, attempt, last_error_code, last_error_summary, updated_at, finished_at, effect_key)
  ON onceward.operations TO onceward_ops;
CREATE POLICY ops_queue_failures ON onceward.operations AS RESTRICTIVE FOR UPDATE TO onceward_ops
  USING (state IN ('failed', 'dead')) WITH CHECK (state = 'queued');
GRANT INSERT (event_id, operation_id) ON onceward.operation_events TO onceward_ops;

GRANT INSERT (id, workspace_id, event_type, payload_version, aggregate_type, aggregate_id, resource_type, resource_id,
    business_key, request_id, correlation_id, traceparent, payload)
  ON onceward.outbox_events TO onceward_ops;
CREATE POLICY ops_ask_for_queued ON onceward.outbox_events AS RESTRICTIVE FOR INSERT TO onceward_ops
  WITH CHECK (EXISTS (
    SELECT FROM onceward.operations o
    WHERE o.event_id = outbox_events.id AND o.workspace_id = outbox_events.workspace_id AND o.state = 'queued'));
GRANT EXECUTE ON FUNCTION onceward.require_workspace() TO onceward_ops;
GRANT EXECUTE ON FUNCTION onceward.outbox_append(
  text, text, text, json, integer, text, text, text, text, text, text, uuid) TO onceward_ops;

-- For the operator's lists: failures are few among operations.
CREATE INDEX operations_failures ON onceward.operations (finished_at) WHERE state IN ('failed', 'dead');
