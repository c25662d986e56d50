-- Materials found elsewhere, to be fetched and kept as media.

CREATE TABLE onceward.material_transfers (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace() REFERENCES onceward.workspaces ON DELETE CASCADE,
  -- Kept in the clear and shown: no user, no password, no signature.
  source_url text NOT NULL,
  file_name text,
  -- Whether a transfer failed, its operation tells.
  status text NOT NULL DEFAULT 'requested',
  media_id uuid,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT material_transfers_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT material_transfers_source_url_form CHECK (
    source_url ~ '^https?://[^/?#@]+([/?][!-~]*)?$' AND char_length(source_url) <= 2048),
  CONSTRAINT material_transfers_source_url_without_secret CHECK (NOT onceward.text_has_secret(source_url)),
  CONSTRAINT material_transfers_file_name_form CHECK (
    char_length(file_name) BETWEEN 1 AND 255 AND file_name !~ '[/\\[:cntrl:]]'),
  CONSTRAINT material_transfers_file_name_without_secret CHECK (NOT onceward.text_has_secret(file_name)),
  CONSTRAINT material_transfers_status_known CHECK (status IN ('requested', 'stored')),
  CONSTRAINT material_transfers_media_when_stored CHECK ((status = 'stored') = (media_id IS NOT NULL)),
  CONSTRAINT material_transfers_media FOREIGN KEY (workspace_id, media_id) REFERENCES onceward.media (workspace_id, id)
);

CREATE UNIQUE INDEX material_transfers_by_media ON onceward.material_transfers (workspace_id, media_id)
  WHERE media_id IS NOT NULL;

CALL onceward.isolate_by_workspace('onceward.material_transfers');

GRANT SELECT, INSERT ON onceward.material_transfers TO onceward_app;
GRANT UPDATE (status, media_id, updated_at) ON onceward.material_transfers TO onceward_app;

CREATE POLICY ops_see_all ON onceward.material_transfers FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.material_transfers TO onceward_ops, onceward_ops_read;
