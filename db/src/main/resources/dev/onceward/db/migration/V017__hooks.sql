-- Inbound hooks: outside systems that may start one flow, or resolve to-dos, by signed deliveries.

CREATE TABLE onceward.hooks (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace() REFERENCES onceward.workspaces ON DELETE CASCADE,
  name text NOT NULL,
  -- What a delivery does: start_run of the flow named, or resolve_todo.
  action text NOT NULL,
  flow text,
  enabled boolean NOT NULL DEFAULT true,
  -- Encrypted (dev.onceward.db.secret.CredentialCipher), bound to the hook: a signature needs the secret itself.
  secret bytea NOT NULL,
  -- The secret before the last rotation; it counts until it expires.
  previous_secret bytea,
  previous_secret_expires_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT hooks_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT hooks_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT hooks_name_without_secret CHECK (NOT onceward.text_has_secret(name)),
  CONSTRAINT hooks_action_known CHECK (action IN ('start_run', 'resolve_todo')),
  CONSTRAINT hooks_flow_of_start CHECK ((action = 'start_run') = (flow IS NOT NULL)),
  CONSTRAINT hooks_flow_form CHECK (flow ~ '^[a-z][a-z0-9_]*$' AND char_length(flow) <= 120),
  CONSTRAINT hooks_previous_secret_expires CHECK ((previous_secret IS NULL) = (previous_secret_expires_at IS NULL))
);

CALL onceward.isolate_by_workspace('onceward.hooks');

GRANT SELECT, INSERT, DELETE ON onceward.hooks TO onceward_app, onceward_ops;
GRANT UPDATE (name, enabled, secret, previous_secret, previous_secret_expires_at, updated_at)
  ON onceward.hooks TO onceward_app, onceward_ops;

CREATE POLICY ops_see_all ON onceward.hooks FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT (id, workspace_id, name, action, flow, enabled, previous_secret_expires_at, created_at, updated_at)
  ON onceward.hooks TO onceward_ops_read;

-- A delivery names its hook before its workspace is known, so this look-up must cross workspaces. It returns what the
-- check of the signature needs; the secrets are useless without the key that encrypts them.
CREATE POLICY definer_looks_up_hooks ON onceward.hooks FOR SELECT TO onceward_definer USING (true);
GRANT SELECT ON onceward.hooks TO onceward_definer;

CREATE FUNCTION onceward.find_hook(wanted_id uuid)
RETURNS TABLE (workspace_id uuid, action text, flow text, enabled boolean, secret bytea, previous_secret bytea)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
  SELECT h.workspace_id, h.action, h.flow, h.enabled, h.secret,
    CASE WHEN h.previous_secret_expires_at > now() THEN h.previous_secret END
  FROM onceward.hooks h
  WHERE h.id = wanted_id
$$;

GRANT EXECUTE ON FUNCTION onceward.find_hook(uuid) TO onceward_app;

GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.find_hook(uuid) OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;
