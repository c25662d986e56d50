-- One row per answered request: the same key in the same scope gets the same answer.

CREATE TABLE onceward.idempotency_requests (
  workspace_id uuid NOT NULL DEFAULT onceward.current_workspace(),
  user_id uuid NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  key text NOT NULL,
  -- HMAC-SHA-256 under the key named beside it; the request itself is not kept.
  fingerprint bytea NOT NULL,
  fingerprint_key_id text NOT NULL,
  status text NOT NULL,
  response_status integer,
  response_headers json,
  response_body text,
  created_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '48 hours',
  CONSTRAINT idempotency_requests_scope PRIMARY KEY (workspace_id, user_id, method, path, key),
  CONSTRAINT idempotency_requests_key_form CHECK (key ~ '^[!-~]{1,200}$'),
  CONSTRAINT idempotency_requests_fingerprint_length CHECK (octet_length(fingerprint) = 32),
  CONSTRAINT idempotency_requests_status_known CHECK (status IN ('in_progress', 'completed')),
  CONSTRAINT idempotency_requests_answer_when_completed CHECK (
    (status = 'completed') = (response_status IS NOT NULL) AND (status = 'completed' OR response_body IS NULL)),
  CONSTRAINT idempotency_requests_response_status CHECK (response_status BETWEEN 200 AND 599),
  CONSTRAINT idempotency_requests_kept_a_day CHECK (expires_at >= created_at + interval '24 hours'),
  CONSTRAINT idempotency_requests_answer_without_secret CHECK (
    NOT onceward.text_has_secret(response_body) AND NOT onceward.json_has_secret(response_headers))
);

CREATE INDEX idempotency_requests_by_expiry ON onceward.idempotency_requests (expires_at);

CALL onceward.isolate_by_workspace('onceward.idempotency_requests');

GRANT SELECT, INSERT ON onceward.idempotency_requests TO onceward_app;
-- Only to put a new answer in the place of an expired one, before the clean-up has come by.
GRANT UPDATE (fingerprint, fingerprint_key_id, status, response_status, response_headers, response_body, created_at,
    expires_at)
  ON onceward.idempotency_requests TO onceward_app;

CREATE POLICY ops_see_all ON onceward.idempotency_requests FOR SELECT TO onceward_ops, onceward_ops_read USING (true);
-- The stored answers are the users' own.
GRANT SELECT (workspace_id, user_id, method, path, key, status, response_status, created_at, expires_at)
  ON onceward.idempotency_requests TO onceward_ops, onceward_ops_read;
