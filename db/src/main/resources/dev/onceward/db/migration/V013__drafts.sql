-- What is prepared to be sold, and its publications.

CREATE TABLE onceward.drafts (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace() REFERENCES onceward.workspaces ON DELETE CASCADE,
  store_id uuid NOT NULL,
  title text NOT NULL,
  description text,
  -- A decimal number as its author wrote it: 10.50 stays 10.50.
  price text,
  media_ids uuid[] NOT NULL DEFAULT '{}',
  -- Counts saves: a save names the revision that it was made from.
  revision integer NOT NULL DEFAULT 1,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT drafts_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT drafts_store FOREIGN KEY (workspace_id, store_id) REFERENCES onceward.stores (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT drafts_title_length CHECK (char_length(title) BETWEEN 1 AND 500),
  CONSTRAINT drafts_description_length CHECK (char_length(description) BETWEEN 1 AND 20000),
  CONSTRAINT drafts_price_form CHECK (price ~ '^[0-9]{1,12}(\.[0-9]{1,4})?$'),
  CONSTRAINT drafts_media_ids_count CHECK (cardinality(media_ids) <= 50),
  CONSTRAINT drafts_revision_positive CHECK (revision > 0),
  CONSTRAINT drafts_title_without_secret CHECK (NOT onceward.text_has_secret(title)),
  CONSTRAINT drafts_description_without_secret CHECK (NOT onceward.text_has_secret(description))
);

CREATE INDEX drafts_by_store ON onceward.drafts (workspace_id, store_id, id);

CREATE TABLE onceward.publications (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  draft_id uuid NOT NULL,
  store_id uuid NOT NULL,
  -- Its state is the publication's: there is no second one here that could differ.
  operation_id uuid NOT NULL,
  -- What is published: the draft as it was, whatever becomes of the draft meanwhile.
  draft_revision integer NOT NULL,
  title text NOT NULL,
  description text,
  price text,
  media_ids uuid[] NOT NULL,
  -- The platform's name of what was published.
  listing_id text,
  published_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT publications_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT publications_operation_once UNIQUE (workspace_id, operation_id),
  CONSTRAINT publications_draft FOREIGN KEY (workspace_id, draft_id) REFERENCES onceward.drafts (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT publications_store FOREIGN KEY (workspace_id, store_id) REFERENCES onceward.stores (workspace_id, id) ON DELETE CASCADE,
  -- No cascade: the operation says whether the draft is published, so it must not go alone.
  CONSTRAINT publications_operation FOREIGN KEY (workspace_id, operation_id) REFERENCES onceward.operations (workspace_id, id),
  CONSTRAINT publications_draft_revision_positive CHECK (draft_revision > 0),
  CONSTRAINT publications_listing_when_published CHECK ((listing_id IS NULL) = (published_at IS NULL)),
  CONSTRAINT publications_listing_id_length CHECK (char_length(listing_id) BETWEEN 1 AND 200),
  CONSTRAINT publications_listing_id_without_secret CHECK (NOT onceward.text_has_secret(listing_id)),
  CONSTRAINT publications_title_without_secret CHECK (NOT onceward.text_has_secret(title)),
  CONSTRAINT publications_description_without_secret CHECK (NOT onceward.text_has_secret(description))
);

CREATE INDEX publications_by_draft ON onceward.publications (workspace_id, draft_id, id);

-- A draft is published once: no second publication while one is active or has succeeded. The rule stands on the state
-- of the operation, which is the only truth about it, so every way into an active state is held to it: a new
-- publication, a retry of an old one, an operator's redrive; and every way out frees the draft at once.
CREATE UNIQUE INDEX operations_one_publication_per_draft ON onceward.operations (workspace_id, subject_type, subject_id)
  WHERE kind = 'publish_listing' AND state IN ('queued', 'running', 'waiting_retry', 'succeeded');

CALL onceward.isolate_by_workspace('onceward.drafts');
CALL onceward.isolate_by_workspace('onceward.publications');

GRANT SELECT, INSERT ON onceward.drafts, onceward.publications TO onceward_app;
GRANT UPDATE (store_id, title, description, price, media_ids, revision, updated_at) ON onceward.drafts TO onceward_app;
-- The snapshot is never changed.
GRANT UPDATE (listing_id, published_at) ON onceward.publications TO onceward_app;

CREATE POLICY ops_see_all ON onceward.drafts FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
CREATE POLICY ops_see_all ON onceward.publications FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT (id, workspace_id, store_id, revision, created_at, updated_at)
  ON onceward.drafts TO onceward_ops, onceward_ops_read;
GRANT SELECT (id, workspace_id, draft_id, store_id, operation_id, draft_revision, listing_id, published_at, created_at)
  ON onceward.publications TO onceward_ops, onceward_ops_read;
