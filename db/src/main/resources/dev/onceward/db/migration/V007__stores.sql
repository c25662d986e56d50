-- Authorisations of shops on outside platforms.

CREATE TABLE onceward.stores (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace() REFERENCES onceward.workspaces ON DELETE CASCADE,
  platform text NOT NULL,
  external_id text NOT NULL,
  name text NOT NULL,
  -- Encrypted (dev.onceward.db.secret.CredentialCipher); bound to workspace and store.
  credentials bytea NOT NULL,
  -- Counts replacements: an event names the version that it is about.
  credential_version integer NOT NULL DEFAULT 1,
  verification text NOT NULL DEFAULT 'pending',
  verified_at timestamptz,
  account_name text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT stores_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT stores_external_id UNIQUE (workspace_id, platform, external_id),
  CONSTRAINT stores_platform_form CHECK (platform ~ '^[a-z][a-z0-9_]*$' AND char_length(platform) <= 60),
  CONSTRAINT stores_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 200),
  CONSTRAINT stores_name_length CHECK (char_length(name) BETWEEN 1 AND 200),
  CONSTRAINT stores_account_name_length CHECK (char_length(account_name) <= 200),
  CONSTRAINT stores_credential_version_positive CHECK (credential_version > 0),
  CONSTRAINT stores_verification_known CHECK (verification IN ('pending', 'verified', 'invalid'))
);

CALL onceward.isolate_by_workspace('onceward.stores');

GRANT SELECT, INSERT ON onceward.stores TO onceward_app;
GRANT UPDATE (name, credentials, credential_version, verification, verified_at, account_name, updated_at)
  ON onceward.stores TO onceward_app;

CREATE POLICY ops_see_all ON onceward.stores FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT (id, workspace_id, platform, external_id, name, credential_version, verification, verified_at,
    account_name, created_at, updated_at)
  ON onceward.stores TO onceward_ops, onceward_ops_read;
