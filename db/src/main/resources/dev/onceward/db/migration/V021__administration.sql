-- Roles of users, users that may no longer call, keys that end, and when a key was used last.

-- Every user so far was made by an operator on the command line, so they administer their workspace.
ALTER TABLE onceward.users
  ADD COLUMN role text NOT NULL DEFAULT 'administrator',
  ADD COLUMN disabled_at timestamptz,
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  ADD CONSTRAINT users_role_known CHECK (role IN ('member', 'administrator', 'installation_administrator')),
  ADD CONSTRAINT users_name_without_secret CHECK (NOT onceward.text_has_secret(name));

ALTER TABLE onceward.users ALTER COLUMN role SET DEFAULT 'member';

ALTER TABLE onceward.workspaces
  ADD COLUMN updated_at timestamptz NOT NULL DEFAULT now(),
  ADD CONSTRAINT workspaces_name_without_secret CHECK (NOT onceward.text_has_secret(name));

ALTER TABLE onceward.access_keys
  -- Set by a rotation: the old key works until then.
  ADD COLUMN expires_at timestamptz,
  ADD COLUMN replaced_by text,
  -- Written behind the requests and at most once a minute, so it may lag by about that.
  ADD COLUMN last_used_at timestamptz,
  ADD CONSTRAINT access_keys_replaced_key_ends CHECK (replaced_by IS NULL OR expires_at IS NOT NULL),
  ADD CONSTRAINT access_keys_replacement FOREIGN KEY (workspace_id, replaced_by)
    REFERENCES onceward.access_keys (workspace_id, key_id) ON DELETE CASCADE,
  ADD CONSTRAINT access_keys_name_without_secret CHECK (NOT onceward.text_has_secret(name));

GRANT UPDATE (name, updated_at) ON onceward.workspaces TO onceward_app, onceward_ops;
GRANT UPDATE (name, role, disabled_at, updated_at) ON onceward.users TO onceward_app, onceward_ops;
GRANT UPDATE (expires_at, replaced_by) ON onceward.access_keys TO onceward_app, onceward_ops;
GRANT SELECT (expires_at, replaced_by, last_used_at) ON onceward.access_keys TO onceward_ops_read;

-- An installation administrator may make workspaces over HTTP. The service itself can neither make one nor change
-- one, whatever a request talks it into: only the command line does, as onceward_ops.
CREATE POLICY app_makes_no_installation_administrator ON onceward.users AS RESTRICTIVE FOR INSERT TO onceward_app
  WITH CHECK (role <> 'installation_administrator');
CREATE POLICY app_changes_no_installation_administrator ON onceward.users AS RESTRICTIVE FOR UPDATE TO onceward_app
  USING (role <> 'installation_administrator') WITH CHECK (role <> 'installation_administrator');

-- The look-up of a key now also tells what its user may do. A key that is revoked or over, and one whose user is
-- disabled, are all the same to the caller: not valid.
CREATE POLICY definer_looks_up_users ON onceward.users FOR SELECT TO onceward_definer USING (true);
GRANT SELECT ON onceward.users TO onceward_definer;

DROP FUNCTION onceward.find_access_key(text);

CREATE FUNCTION onceward.find_access_key(wanted_key_id text)
RETURNS TABLE (workspace_id uuid, user_id uuid, role text, secret_hash bytea, valid boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
  SELECT k.workspace_id, k.user_id, u.role, k.secret_hash,
    k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > now()) AND u.disabled_at IS NULL
  FROM onceward.access_keys k
  JOIN onceward.users u ON u.workspace_id = k.workspace_id AND u.id = k.user_id
  WHERE k.key_id = wanted_key_id
$$;

GRANT EXECUTE ON FUNCTION onceward.find_access_key(text) TO onceward_app;

-- Notes that keys were used, in whatever workspaces they are. A key noted within the last minute is left alone.
CREATE POLICY definer_notes_use ON onceward.access_keys FOR UPDATE TO onceward_definer USING (true) WITH CHECK (true);
GRANT UPDATE (last_used_at) ON onceward.access_keys TO onceward_definer;

CREATE FUNCTION onceward.note_access_key_use(used_key_ids text[], used_ats timestamptz[])
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
DECLARE
  noted integer;
BEGIN
  -- In key order, so that two instances cannot lock each other out; a key that another instance is noting is left to it.
  UPDATE onceward.access_keys k SET last_used_at = due.used_at
  FROM (
    SELECT a.key_id, used.used_at
    FROM unnest(used_key_ids, used_ats) AS used (key_id, used_at)
    JOIN onceward.access_keys a ON a.key_id = used.key_id
    WHERE a.last_used_at IS NULL OR a.last_used_at < used.used_at - interval '1 minute'
    ORDER BY a.key_id
    FOR NO KEY UPDATE OF a SKIP LOCKED
  ) due
  WHERE k.key_id = due.key_id;
  GET DIAGNOSTICS noted = ROW_COUNT;
  RETURN noted;
END
$$;

GRANT EXECUTE ON FUNCTION onceward.note_access_key_use(text[], timestamptz[]) TO onceward_app;

GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.find_access_key(text) OWNER TO onceward_definer;
ALTER FUNCTION onceward.note_access_key_use(text[], timestamptz[]) OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;
