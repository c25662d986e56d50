-- The domain task and the only truth about it. Its transitions are in dev.onceward.db.operation.OperationState.

CREATE TABLE onceward.operations (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  kind text NOT NULL,
  subject_type text NOT NULL,
  subject_id text NOT NULL,
  -- The newest event of this operation; an older one is superseded.
  event_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'queued',
  -- Counted at the claim, so that a task that kills its process uses its attempts up.
  attempt integer NOT NULL DEFAULT 0,
  max_attempts integer NOT NULL DEFAULT 8,
  lease_owner text,
  lease_expires_at timestamptz,
  next_attempt_at timestamptz,
  last_error_code text,
  last_error_summary text,
  result json,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  finished_at timestamptz,
  CONSTRAINT operations_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT operations_event UNIQUE (event_id),
  CONSTRAINT operations_kind_form CHECK (kind ~ '^[a-z][a-z0-9_]*$' AND char_length(kind) <= 120),
  CONSTRAINT operations_subject_type_form CHECK (subject_type ~ '^[a-z][a-z0-9_]*$' AND char_length(subject_type) <= 120),
  CONSTRAINT operations_subject_id_length CHECK (char_length(subject_id) BETWEEN 1 AND 200),
  CONSTRAINT operations_state_known
    CHECK (state IN ('queued', 'running', 'waiting_retry', 'succeeded', 'failed', 'dead', 'cancelled')),
  CONSTRAINT operations_attempts CHECK (max_attempts BETWEEN 1 AND 100 AND attempt BETWEEN 0 AND max_attempts),
  CONSTRAINT operations_lease_while_running CHECK (
    (state = 'running') = (lease_owner IS NOT NULL) AND (state = 'running') = (lease_expires_at IS NOT NULL)),
  CONSTRAINT operations_running_counts_attempt CHECK (state <> 'running' OR attempt > 0),
  CONSTRAINT operations_next_attempt_while_waiting CHECK ((state = 'waiting_retry') = (next_attempt_at IS NOT NULL)),
  CONSTRAINT operations_finished_when_final
    CHECK ((state IN ('succeeded', 'failed', 'dead', 'cancelled')) = (finished_at IS NOT NULL)),
  CONSTRAINT operations_result_of_success CHECK (result IS NULL OR state = 'succeeded'),
  CONSTRAINT operations_error_of_failure
    CHECK (state NOT IN ('failed', 'dead', 'waiting_retry') OR last_error_code IS NOT NULL),
  CONSTRAINT operations_error_code_form CHECK (last_error_code ~ '^[A-Z][A-Z0-9_]{0,99}$'),
  CONSTRAINT operations_error_summary_length CHECK (char_length(last_error_summary) <= 500),
  CONSTRAINT operations_error_without_secret CHECK (NOT onceward.text_has_secret(last_error_summary)),
  CONSTRAINT operations_result_size CHECK (octet_length(result::text) <= 262144),
  CONSTRAINT operations_result_without_secret CHECK (NOT onceward.json_has_secret(result))
);

-- For the loop that takes up what is due, in every workspace.
CREATE INDEX operations_waiting ON onceward.operations (next_attempt_at) WHERE state = 'waiting_retry';
CREATE INDEX operations_leased ON onceward.operations (lease_expires_at) WHERE state = 'running';
CREATE INDEX operations_queued ON onceward.operations (updated_at) WHERE state = 'queued';
CREATE INDEX operations_handed_back ON onceward.operations (updated_at)
  WHERE state = 'queued' AND last_error_code = 'HANDED_BACK';

CREATE TABLE onceward.operation_events (
  event_id uuid PRIMARY KEY,
  operation_id uuid NOT NULL,
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT operation_events_operation FOREIGN KEY (workspace_id, operation_id)
    REFERENCES onceward.operations (workspace_id, id) ON DELETE CASCADE
);

CREATE INDEX operation_events_by_operation ON onceward.operation_events (workspace_id, operation_id);

CALL onceward.isolate_by_workspace('onceward.operations');
CALL onceward.isolate_by_workspace('onceward.operation_events');

GRANT SELECT, INSERT ON onceward.operations, onceward.operation_events TO onceward_app;
GRANT UPDATE (event_id, state, attempt, lease_owner, lease_expires_at, next_attempt_at, last_error_code,
    last_error_summary, result, updated_at, finished_at)
  ON onceward.operations TO onceward_app;

CREATE POLICY ops_see_all ON onceward.operations FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
CREATE POLICY ops_see_all ON onceward.operation_events FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.operations, onceward.operation_events TO onceward_ops, onceward_ops_read;

-- The workers' narrow way across workspaces: which operations are due, ids only. Due are waits that are over, leases
-- that have expired, what a stopping worker handed back (its record may long be acknowledged), and queued operations
-- whose event left the outbox a while ago and that nobody took.
CREATE POLICY definer_finds_due ON onceward.operations FOR SELECT TO onceward_definer USING (true);
CREATE POLICY definer_finds_due ON onceward.outbox_events FOR SELECT TO onceward_definer USING (true);
CREATE POLICY definer_finds_due ON onceward.parked_events FOR SELECT TO onceward_definer USING (true);
GRANT SELECT (id, workspace_id, event_id, kind, state, lease_expires_at, next_attempt_at, last_error_code, updated_at)
  ON onceward.operations TO onceward_definer;
GRANT SELECT (id, xid) ON onceward.outbox_events TO onceward_definer;
GRANT SELECT (event_id, status) ON onceward.parked_events TO onceward_definer;

CREATE FUNCTION onceward.due_operations(
  kinds text[], at_most integer, queued_for interval DEFAULT interval '2 minutes')
RETURNS TABLE (workspace_id uuid, operation_id uuid, event_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
  (SELECT o.workspace_id, o.id, o.event_id FROM onceward.operations o
   WHERE o.state = 'waiting_retry' AND o.next_attempt_at <= now() AND o.kind = ANY (kinds)
   ORDER BY o.next_attempt_at LIMIT at_most)
  UNION ALL
  (SELECT o.workspace_id, o.id, o.event_id FROM onceward.operations o
   WHERE o.state = 'running' AND o.lease_expires_at <= now() AND o.kind = ANY (kinds)
   ORDER BY o.lease_expires_at LIMIT at_most)
  UNION ALL
  (SELECT o.workspace_id, o.id, o.event_id FROM onceward.operations o
   WHERE o.state = 'queued' AND o.last_error_code = 'HANDED_BACK' AND o.kind = ANY (kinds)
   ORDER BY o.updated_at LIMIT at_most)
  UNION ALL
  (SELECT o.workspace_id, o.id, o.event_id FROM onceward.operations o
   WHERE o.state = 'queued' AND o.updated_at <= now() - queued_for AND o.kind = ANY (kinds)
     AND EXISTS (SELECT FROM onceward.outbox_events e
                 WHERE e.id = o.event_id AND pg_visible_in_snapshot(e.xid, onceward.audited_snapshot()))
     AND NOT EXISTS (SELECT FROM onceward.parked_events p WHERE p.event_id = o.event_id AND p.status = 'pending')
   ORDER BY o.updated_at LIMIT at_most)
$$;

GRANT EXECUTE ON FUNCTION onceward.due_operations(text[], integer, interval) TO onceward_app;

GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.due_operations(text[], integer, interval) OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;
