-- Files of a workspace: what was declared, what came, and what an inspection found.

CREATE TABLE onceward.media (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace() REFERENCES onceward.workspaces ON DELETE CASCADE,
  file_name text,
  -- What an upload promises; a transferred material promises nothing.
  declared_type text,
  declared_size_bytes bigint,
  -- awaiting_content -> uploaded -> processing -> ready | rejected. From processing on the content stays as it is.
  status text NOT NULL DEFAULT 'awaiting_content',
  -- Of the content as it was received.
  size_bytes bigint,
  sha256 bytea,
  -- Found by the inspection.
  detected_type text,
  width_pixels integer,
  height_pixels integer,
  rejection_code text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT media_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT media_file_name_form CHECK (
    char_length(file_name) BETWEEN 1 AND 255 AND file_name !~ '[/\\[:cntrl:]]'),
  CONSTRAINT media_file_name_without_secret CHECK (NOT onceward.text_has_secret(file_name)),
  -- RFC 6838, section 4.2, in lower case and without parameters.
  CONSTRAINT media_declared_type_form CHECK (
    declared_type ~ '^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$'),
  CONSTRAINT media_detected_type_form CHECK (
    detected_type ~ '^[a-z0-9][a-z0-9!#$&^_.+-]{0,126}/[a-z0-9][a-z0-9!#$&^_.+-]{0,126}$'),
  CONSTRAINT media_declared_type_and_size CHECK ((declared_type IS NULL) = (declared_size_bytes IS NULL)),
  CONSTRAINT media_declared_size_positive CHECK (declared_size_bytes > 0),
  CONSTRAINT media_size_positive CHECK (size_bytes > 0),
  CONSTRAINT media_sha256_length CHECK (octet_length(sha256) = 32),
  CONSTRAINT media_pixels_positive CHECK (
    width_pixels > 0 AND height_pixels > 0 AND (width_pixels IS NULL) = (height_pixels IS NULL)),
  CONSTRAINT media_status_known CHECK (
    status IN ('awaiting_content', 'uploaded', 'processing', 'ready', 'rejected')),
  CONSTRAINT media_content_after_awaiting CHECK (
    (status = 'awaiting_content') = (size_bytes IS NULL) AND (size_bytes IS NULL) = (sha256 IS NULL)),
  CONSTRAINT media_detected_when_inspected CHECK (
    (status IN ('ready', 'rejected')) = (detected_type IS NOT NULL)),
  CONSTRAINT media_pixels_when_ready CHECK (width_pixels IS NULL OR status = 'ready'),
  CONSTRAINT media_rejection_when_rejected CHECK ((status = 'rejected') = (rejection_code IS NOT NULL)),
  CONSTRAINT media_rejection_code_form CHECK (rejection_code ~ '^[a-z][a-z0-9_]{0,99}$')
);

-- The bytes, in pieces, so that nobody needs room for a whole file. A reader who takes one piece per transaction sees
-- one content: pieces are replaced only before processing begins and read only after it has ended.
CREATE TABLE onceward.media_chunks (
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  media_id uuid NOT NULL,
  -- Counted from 0, without gaps.
  number integer NOT NULL,
  content bytea NOT NULL,
  CONSTRAINT media_chunks_place PRIMARY KEY (workspace_id, media_id, number),
  CONSTRAINT media_chunks_media FOREIGN KEY (workspace_id, media_id)
    REFERENCES onceward.media (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT media_chunks_number_not_negative CHECK (number >= 0),
  CONSTRAINT media_chunks_content_length CHECK (octet_length(content) BETWEEN 1 AND 262144)
);

-- Files are mostly compressed already.
ALTER TABLE onceward.media_chunks ALTER COLUMN content SET STORAGE EXTERNAL;

CALL onceward.isolate_by_workspace('onceward.media');
CALL onceward.isolate_by_workspace('onceward.media_chunks');

GRANT SELECT, INSERT ON onceward.media TO onceward_app;
GRANT UPDATE (status, size_bytes, sha256, detected_type, width_pixels, height_pixels, rejection_code, updated_at)
  ON onceward.media TO onceward_app;
GRANT SELECT, INSERT, DELETE ON onceward.media_chunks TO onceward_app;

CREATE POLICY ops_see_all ON onceward.media FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.media TO onceward_ops, onceward_ops_read;
-- The files are the users' own.
CREATE POLICY ops_see_all ON onceward.media_chunks FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT (workspace_id, media_id, number) ON onceward.media_chunks TO onceward_ops, onceward_ops_read;
