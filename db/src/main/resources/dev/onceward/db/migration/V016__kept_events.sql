-- What an explicit retry needs: the words of the event, and the key that the outside world knows.

-- The idempotency key of calls to the outside; null means the event's id. An operation that died may have had its
-- effect unseen, so a retry of it goes on under the key of the attempts before. One that failed was refused, and its
-- retry gets a key of its own: many platforms give the refusal again to the old one.
ALTER TABLE onceward.operations ADD COLUMN effect_key uuid;
GRANT UPDATE (effect_key) ON onceward.operations TO onceward_app;

-- The events of operations that failed. The outbox forgets an event after its retention; an explicit retry, which asks
-- with the same words under a new id, may come later than that.

CREATE TABLE onceward.kept_events (
  event_id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL,
  operation_id uuid NOT NULL,
  event_type text NOT NULL,
  payload_version integer NOT NULL,
  aggregate_type text NOT NULL,
  aggregate_id text NOT NULL,
  resource_type text NOT NULL,
  resource_id text NOT NULL,
  business_key text,
  payload json NOT NULL,
  CONSTRAINT kept_events_operation FOREIGN KEY (workspace_id, operation_id)
    REFERENCES onceward.operations (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT kept_events_payload_size CHECK (octet_length(payload::text) <= 262144),
  CONSTRAINT kept_events_payload_without_secret CHECK (NOT onceward.json_has_secret(payload))
);

CREATE INDEX kept_events_by_operation ON onceward.kept_events (workspace_id, operation_id);

CALL onceward.isolate_by_workspace('onceward.kept_events');

GRANT SELECT, INSERT ON onceward.kept_events TO onceward_app;
CREATE POLICY ops_see_all ON onceward.kept_events FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.kept_events TO onceward_ops, onceward_ops_read;

-- A trigger, since many write the end of an operation and none may forget it; it costs nothing where nothing fails. The
-- rights are those of whoever ends the operation. An event that the outbox has lost already is not kept: such an
-- operation cannot be retried, and a retry says so.
CREATE FUNCTION onceward.keep_event_of_failure() RETURNS trigger
LANGUAGE plpgsql SET search_path = onceward, pg_temp AS $$
BEGIN
  INSERT INTO onceward.kept_events (event_id, workspace_id, operation_id, event_type, payload_version, aggregate_type,
    aggregate_id, resource_type, resource_id, business_key, payload)
  SELECT e.id, e.workspace_id, NEW.id, e.event_type, e.payload_version, e.aggregate_type, e.aggregate_id,
    e.resource_type, e.resource_id, e.business_key, e.payload
  FROM onceward.outbox_events e WHERE e.id = NEW.event_id AND e.workspace_id = NEW.workspace_id
  ON CONFLICT (event_id) DO NOTHING;
  RETURN NULL;
END
$$;

CREATE TRIGGER operations_keep_event_of_failure
  AFTER UPDATE OF state ON onceward.operations
  FOR EACH ROW WHEN (NEW.state IN ('failed', 'dead') AND OLD.state <> NEW.state)
  EXECUTE FUNCTION onceward.keep_event_of_failure();
