-- Full reads of a shop's products from its platform.

CREATE TABLE onceward.product_syncs (
  id uuid PRIMARY KEY,
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  store_id uuid NOT NULL,
  -- Its state is the sync's.
  operation_id uuid NOT NULL,
  -- What the finished sync read.
  product_count integer,
  completed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT product_syncs_in_workspace UNIQUE (workspace_id, id),
  CONSTRAINT product_syncs_operation_once UNIQUE (workspace_id, operation_id),
  CONSTRAINT product_syncs_store FOREIGN KEY (workspace_id, store_id) REFERENCES onceward.stores (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT product_syncs_operation FOREIGN KEY (workspace_id, operation_id) REFERENCES onceward.operations (workspace_id, id),
  CONSTRAINT product_syncs_product_count_not_negative CHECK (product_count >= 0),
  CONSTRAINT product_syncs_count_when_completed CHECK ((product_count IS NULL) = (completed_at IS NULL))
);

CREATE INDEX product_syncs_by_store ON onceward.product_syncs (workspace_id, store_id, id);

-- One active sync per store; on the operation's state, as with publications.
CREATE UNIQUE INDEX operations_one_sync_per_store ON onceward.operations (workspace_id, subject_type, subject_id)
  WHERE kind = 'sync_products' AND state IN ('queued', 'running', 'waiting_retry');

-- A copy of what the platform has.
CREATE TABLE onceward.products (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  store_id uuid NOT NULL,
  external_id text NOT NULL,
  title text NOT NULL,
  price text,
  -- The attempt of a sync that read it last: at its end, what bears another mark is gone from the platform.
  read_mark uuid NOT NULL,
  first_read_at timestamptz NOT NULL DEFAULT now(),
  last_read_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT products_external_id UNIQUE (workspace_id, store_id, external_id),
  CONSTRAINT products_store FOREIGN KEY (workspace_id, store_id) REFERENCES onceward.stores (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT products_external_id_length CHECK (char_length(external_id) BETWEEN 1 AND 200),
  CONSTRAINT products_title_length CHECK (char_length(title) <= 500),
  CONSTRAINT products_price_length CHECK (char_length(price) <= 40),
  CONSTRAINT products_title_without_secret CHECK (NOT onceward.text_has_secret(title))
);

CREATE INDEX products_by_store ON onceward.products (workspace_id, store_id, id);

CALL onceward.isolate_by_workspace('onceward.product_syncs');
CALL onceward.isolate_by_workspace('onceward.products');

GRANT SELECT, INSERT ON onceward.product_syncs TO onceward_app;
GRANT UPDATE (product_count, completed_at) ON onceward.product_syncs TO onceward_app;
GRANT SELECT, INSERT, DELETE ON onceward.products TO onceward_app;
GRANT UPDATE (title, price, read_mark, last_read_at) ON onceward.products TO onceward_app;

CREATE POLICY ops_see_all ON onceward.product_syncs FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.product_syncs TO onceward_ops, onceward_ops_read;
