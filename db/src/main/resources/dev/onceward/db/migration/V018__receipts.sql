-- Receipts: one row per (who, key) proves that a key was accepted. Two tables, one state machine
-- (dev.onceward.db.receipt.Receipts): processing -> accepted | rejected; rejected, and processing that went stale, are
-- claimed again.

CREATE TABLE onceward.hook_receipts (
  -- What was done under the receipt carries this id, so that a second claim finds it.
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  hook_id uuid NOT NULL,
  idem_key text NOT NULL,
  status text NOT NULL DEFAULT 'processing',
  -- Counts claims: a finisher whose claim was taken over names an older number and changes nothing.
  claim_number integer NOT NULL DEFAULT 1,
  -- HMAC-SHA-256 under the key named beside it; absent ones are not compared.
  fingerprint bytea,
  fingerprint_key_id text,
  detail text,
  run_id uuid,
  -- The to-do.
  task_id uuid,
  -- When it was claimed last.
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  CONSTRAINT hook_receipts_scope UNIQUE (workspace_id, hook_id, idem_key),
  -- A deleted hook takes its receipts along.
  CONSTRAINT hook_receipts_hook FOREIGN KEY (workspace_id, hook_id)
    REFERENCES onceward.hooks (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT hook_receipts_key_form CHECK (idem_key ~ '^[!-~]{1,200}$'),
  CONSTRAINT hook_receipts_status_known CHECK (status IN ('processing', 'accepted', 'rejected')),
  CONSTRAINT hook_receipts_claim_number_positive CHECK (claim_number > 0),
  CONSTRAINT hook_receipts_fingerprint_length CHECK (octet_length(fingerprint) = 32),
  CONSTRAINT hook_receipts_fingerprint_has_key CHECK ((fingerprint IS NULL) = (fingerprint_key_id IS NULL)),
  CONSTRAINT hook_receipts_detail_of_rejection CHECK ((status = 'rejected') = (detail IS NOT NULL)),
  CONSTRAINT hook_receipts_detail_length CHECK (char_length(detail) BETWEEN 1 AND 500),
  CONSTRAINT hook_receipts_detail_without_secret CHECK (NOT onceward.text_has_secret(detail)),
  CONSTRAINT hook_receipts_result_of_acceptance
    CHECK ((status = 'accepted') = (run_id IS NOT NULL OR task_id IS NOT NULL))
);

CREATE TABLE onceward.api_receipts (
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  -- The key's user and not the key: a rotated key still recognises its own.
  owner_user_id uuid NOT NULL,
  idem_key text NOT NULL,
  status text NOT NULL DEFAULT 'processing',
  claim_number integer NOT NULL DEFAULT 1,
  fingerprint bytea,
  fingerprint_key_id text,
  detail text,
  run_id uuid,
  task_id uuid,
  received_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  -- Of the last claim.
  access_key_id text NOT NULL,
  endpoint text NOT NULL,
  CONSTRAINT api_receipts_scope UNIQUE (workspace_id, owner_user_id, idem_key),
  CONSTRAINT api_receipts_owner FOREIGN KEY (workspace_id, owner_user_id)
    REFERENCES onceward.users (workspace_id, id) ON DELETE CASCADE,
  CONSTRAINT api_receipts_key_form CHECK (idem_key ~ '^[!-~]{1,200}$'),
  CONSTRAINT api_receipts_status_known CHECK (status IN ('processing', 'accepted', 'rejected')),
  CONSTRAINT api_receipts_claim_number_positive CHECK (claim_number > 0),
  CONSTRAINT api_receipts_fingerprint_length CHECK (octet_length(fingerprint) = 32),
  CONSTRAINT api_receipts_fingerprint_has_key CHECK ((fingerprint IS NULL) = (fingerprint_key_id IS NULL)),
  CONSTRAINT api_receipts_detail_of_rejection CHECK ((status = 'rejected') = (detail IS NOT NULL)),
  CONSTRAINT api_receipts_detail_length CHECK (char_length(detail) BETWEEN 1 AND 500),
  CONSTRAINT api_receipts_detail_without_secret CHECK (NOT onceward.text_has_secret(detail)),
  CONSTRAINT api_receipts_result_of_acceptance
    CHECK ((status = 'accepted') = (run_id IS NOT NULL OR task_id IS NOT NULL)),
  CONSTRAINT api_receipts_access_key_id_form CHECK (access_key_id ~ '^[0-9a-z]{8,40}$'),
  CONSTRAINT api_receipts_endpoint_length CHECK (char_length(endpoint) BETWEEN 1 AND 200)
);

-- For the clean-up; processing ones are never cleaned.
CREATE INDEX hook_receipts_finished ON onceward.hook_receipts (received_at) WHERE status IN ('accepted', 'rejected');
CREATE INDEX api_receipts_finished ON onceward.api_receipts (received_at) WHERE status IN ('accepted', 'rejected');

CALL onceward.isolate_by_workspace('onceward.hook_receipts');
CALL onceward.isolate_by_workspace('onceward.api_receipts');

GRANT SELECT, INSERT ON onceward.hook_receipts, onceward.api_receipts TO onceward_app;
GRANT UPDATE (status, claim_number, fingerprint, fingerprint_key_id, detail, run_id, task_id, received_at)
  ON onceward.hook_receipts, onceward.api_receipts TO onceward_app;
GRANT UPDATE (access_key_id, endpoint) ON onceward.api_receipts TO onceward_app;

CREATE POLICY ops_see_all ON onceward.hook_receipts FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
CREATE POLICY ops_see_all ON onceward.api_receipts FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
GRANT SELECT ON onceward.hook_receipts, onceward.api_receipts TO onceward_ops, onceward_ops_read;
