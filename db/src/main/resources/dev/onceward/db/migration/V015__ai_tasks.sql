-- Texts, categories and images that a model is asked for.

CREATE TABLE onceward.ai_tasks (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace() REFERENCES onceward.workspaces ON DELETE CASCADE,
  kind text NOT NULL,
  -- Its state is the task's.
  operation_id uuid NOT NULL,
  input json NOT NULL,
  output json,
  completed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT ai_tasks_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT ai_tasks_operation_once UNIQUE (workspace_id, operation_id),
  CONSTRAINT ai_tasks_operation FOREIGN KEY (workspace_id, operation_id) REFERENCES onceward.operations (workspace_id, id),
  CONSTRAINT ai_tasks_kind_known CHECK (kind IN ('text', 'category', 'image')),
  CONSTRAINT ai_tasks_input_size CHECK (octet_length(input::text) <= 65536),
  CONSTRAINT ai_tasks_output_size CHECK (octet_length(output::text) <= 262144),
  CONSTRAINT ai_tasks_output_when_completed CHECK ((output IS NULL) = (completed_at IS NULL)),
  CONSTRAINT ai_tasks_input_without_secret CHECK (NOT onceward.json_has_secret(input)),
  CONSTRAINT ai_tasks_output_without_secret CHECK (NOT onceward.json_has_secret(output))
);

CALL onceward.isolate_by_workspace('onceward.ai_tasks');

GRANT SELECT, INSERT ON onceward.ai_tasks TO onceward_app;
GRANT UPDATE (output, completed_at) ON onceward.ai_tasks TO onceward_app;

CREATE POLICY ops_see_all ON onceward.ai_tasks FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT (id, workspace_id, kind, operation_id, completed_at, created_at)
  ON onceward.ai_tasks TO onceward_ops, onceward_ops_read;
