-- Who may do what: workspaces, their users, and the keys by which users call the API.

CREATE TABLE onceward.workspaces (
  -- Named workspace_id like everywhere else, so that one kind of policy fits every table.
  workspace_id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT workspaces_name_length CHECK (char_length(name) BETWEEN 1 AND 200)
);

CREATE TABLE onceward.users (
  id uuid NOT NULL DEFAULT onceward.uuid_v7() PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace() REFERENCES onceward.workspaces ON DELETE CASCADE,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  -- Foreign keys are checked past row-level security: they must carry the workspace, or one workspace could point
  -- at another's row.
  CONSTRAINT users_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT users_name_length CHECK (char_length(name) BETWEEN 1 AND 200)
);

CREATE TABLE onceward.access_keys (
  -- The public half of `ow_<keyId>_<secret>`.
  key_id text PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  user_id uuid NOT NULL,
  -- SHA-256 of the secret. The secret has 256 random bits, so that a slow hash would add nothing.
  secret_hash bytea NOT NULL,
  name text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  revoked_at timestamptz,
  CONSTRAINT access_keys_in_workspace UNIQUE (workspace_id, key_id),
  CONSTRAINT access_keys_user FOREIGN KEY (workspace_id, user_id)
    REFERENCES onceward.users (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT access_keys_key_id_form CHECK (key_id ~ '^[0-9a-z]{8,40}$'),
  CONSTRAINT access_keys_secret_hash_length CHECK (octet_length(secret_hash) = 32),
  CONSTRAINT access_keys_name_length CHECK (char_length(name) BETWEEN 1 AND 200)
);

CREATE INDEX access_keys_by_user ON onceward.access_keys (workspace_id, user_id);

CALL onceward.isolate_by_workspace('onceward.workspaces');
CALL onceward.isolate_by_workspace('onceward.users');
CALL onceward.isolate_by_workspace('onceward.access_keys');

GRANT SELECT, INSERT ON onceward.workspaces, onceward.users, onceward.access_keys TO onceward_app, onceward_ops;
GRANT UPDATE (revoked_at) ON onceward.access_keys TO onceward_app, onceward_ops;

CREATE POLICY ops_see_all ON onceward.workspaces FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
CREATE POLICY ops_see_all ON onceward.users FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
CREATE POLICY ops_see_all ON onceward.access_keys FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.workspaces, onceward.users TO onceward_ops_read;
GRANT SELECT (key_id, workspace_id, user_id, name, created_at, revoked_at) ON onceward.access_keys TO onceward_ops_read;

-- A request names its key before its workspace is known, so this look-up must cross workspaces. It returns what the
-- check needs and nothing of the workspace's rows.
CREATE POLICY definer_looks_up_keys ON onceward.access_keys FOR SELECT TO onceward_definer USING (true);
GRANT SELECT ON onceward.access_keys TO onceward_definer;

CREATE FUNCTION onceward.find_access_key(wanted_key_id text)
RETURNS TABLE (workspace_id uuid, user_id uuid, secret_hash bytea, revoked_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
  SELECT k.workspace_id, k.user_id, k.secret_hash, k.revoked_at
  FROM onceward.access_keys k
  WHERE k.key_id = wanted_key_id
$$;

GRANT EXECUTE ON FUNCTION onceward.find_access_key(text) TO onceward_app;

-- A function's new owner needs CREATE on the schema at that moment, and at no other.
GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.find_access_key(text) OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;
