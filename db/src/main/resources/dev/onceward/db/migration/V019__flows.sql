-- Runs of flows, and the to-dos that they wait for.

CREATE TABLE onceward.runs (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace() REFERENCES onceward.workspaces ON DELETE CASCADE,
  flow text NOT NULL,
  state text NOT NULL DEFAULT 'running',
  outcome text,
  input json NOT NULL,
  -- The receipt under which it was started. It may be cleaned up later, so there is no foreign key; the unique key is
  -- the last guard against starting twice under one receipt.
  receipt_id uuid,
  -- The operation that its start asked for.
  operation_id uuid NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  CONSTRAINT runs_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT runs_receipt UNIQUE (workspace_id, receipt_id),
  CONSTRAINT runs_flow_form CHECK (flow ~ '^[a-z][a-z0-9_]*$' AND char_length(flow) <= 120),
  CONSTRAINT runs_state_known CHECK (state IN ('running', 'waiting', 'ended')),
  CONSTRAINT runs_ended_with_outcome
    CHECK ((state = 'ended') = (outcome IS NOT NULL) AND (state = 'ended') = (ended_at IS NOT NULL)),
  CONSTRAINT runs_outcome_form CHECK (outcome ~ '^[a-z][a-z0-9_]*$' AND char_length(outcome) <= 120),
  CONSTRAINT runs_input_size CHECK (octet_length(input::text) <= 65536),
  CONSTRAINT runs_input_without_secret CHECK (NOT onceward.json_has_secret(input))
);

CREATE TABLE onceward.todos (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  run_id uuid NOT NULL,
  name text NOT NULL,
  state text NOT NULL DEFAULT 'waiting',
  decision text,
  comment text,
  -- The receipt under which it was resolved, and the operation that this asked for.
  receipt_id uuid,
  operation_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  resolved_at timestamptz,
  CONSTRAINT todos_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT todos_once_per_run UNIQUE (workspace_id, run_id, name),
  CONSTRAINT todos_receipt UNIQUE (workspace_id, receipt_id),
  CONSTRAINT todos_run FOREIGN KEY (workspace_id, run_id)
    REFERENCES onceward.runs (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT todos_name_form CHECK (name ~ '^[a-z][a-z0-9_]*$' AND char_length(name) <= 120),
  CONSTRAINT todos_state_known CHECK (state IN ('waiting', 'resolved')),
  CONSTRAINT todos_decided_when_resolved CHECK (
    (state = 'resolved') = (decision IS NOT NULL) AND (state = 'resolved') = (resolved_at IS NOT NULL)
    AND (state = 'resolved') = (operation_id IS NOT NULL)
    AND (state = 'resolved' OR (comment IS NULL AND receipt_id IS NULL))),
  CONSTRAINT todos_decision_form CHECK (decision ~ '^[a-z][a-z0-9_]*$' AND char_length(decision) <= 120),
  CONSTRAINT todos_comment_length CHECK (char_length(comment) BETWEEN 1 AND 2000),
  CONSTRAINT todos_comment_without_secret CHECK (NOT onceward.text_has_secret(comment))
);

CALL onceward.isolate_by_workspace('onceward.runs');
CALL onceward.isolate_by_workspace('onceward.todos');

GRANT SELECT, INSERT ON onceward.runs, onceward.todos TO onceward_app;
GRANT UPDATE (state, outcome, updated_at, ended_at) ON onceward.runs TO onceward_app;
GRANT UPDATE (state, decision, comment, receipt_id, operation_id, resolved_at) ON onceward.todos TO onceward_app;

CREATE POLICY ops_see_all ON onceward.runs FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
CREATE POLICY ops_see_all ON onceward.todos FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
-- Inputs and comments are the users' own.
GRANT SELECT (id, workspace_id, flow, state, outcome, receipt_id, operation_id, created_at, updated_at, ended_at)
  ON onceward.runs TO onceward_ops, onceward_ops_read;
GRANT SELECT (id, workspace_id, run_id, name, state, decision, receipt_id, operation_id, created_at, resolved_at)
  ON onceward.todos TO onceward_ops, onceward_ops_read;
