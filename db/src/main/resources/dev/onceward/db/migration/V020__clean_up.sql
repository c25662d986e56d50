-- The API's clean-up: small batches in every workspace, by functions whose owner can reach what has expired and nothing
-- else. The policies say what that is, so that no defect of a function deletes a live row. Instances that clean up at
-- the same time skip each other's rows.

CREATE POLICY definer_cleans_up ON onceward.idempotency_requests TO onceward_definer
  USING (expires_at <= now()) WITH CHECK (false);
CREATE POLICY definer_cleans_up ON onceward.hook_receipts TO onceward_definer
  USING (status IN ('accepted', 'rejected') AND received_at < now() - interval '30 days') WITH CHECK (false);
CREATE POLICY definer_cleans_up ON onceward.api_receipts TO onceward_definer
  USING (status IN ('accepted', 'rejected') AND received_at < now() - interval '30 days') WITH CHECK (false);

GRANT SELECT, DELETE ON onceward.idempotency_requests, onceward.hook_receipts, onceward.api_receipts
  TO onceward_definer;
-- FOR UPDATE asks for the right to update a column; WITH CHECK (false) lets no update through.
GRANT UPDATE (expires_at) ON onceward.idempotency_requests TO onceward_definer;
GRANT UPDATE (received_at) ON onceward.hook_receipts, onceward.api_receipts TO onceward_definer;

CREATE FUNCTION onceward.delete_expired_requests(at_most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
DECLARE
  deleted integer;
BEGIN
  WITH expired AS MATERIALIZED (
         SELECT e.workspace_id, e.user_id, e.method, e.path, e.key FROM onceward.idempotency_requests e
         WHERE e.expires_at <= now() ORDER BY e.expires_at LIMIT at_most FOR UPDATE SKIP LOCKED)
  DELETE FROM onceward.idempotency_requests r USING expired
  -- Said again: a row that got a new answer meanwhile lives.
  WHERE r.expires_at <= now() AND r.workspace_id = expired.workspace_id AND r.user_id = expired.user_id
    AND r.method = expired.method AND r.path = expired.path AND r.key = expired.key;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$$;

CREATE FUNCTION onceward.delete_old_hook_receipts(at_most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
DECLARE
  deleted integer;
BEGIN
  WITH old AS MATERIALIZED (
         SELECT e.id FROM onceward.hook_receipts e
         WHERE e.status IN ('accepted', 'rejected') AND e.received_at < now() - interval '30 days'
         ORDER BY e.received_at LIMIT at_most FOR UPDATE SKIP LOCKED)
  DELETE FROM onceward.hook_receipts r USING old
  WHERE r.id = old.id AND r.status IN ('accepted', 'rejected') AND r.received_at < now() - interval '30 days';
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$$;

CREATE FUNCTION onceward.delete_old_api_receipts(at_most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
DECLARE
  deleted integer;
BEGIN
  WITH old AS MATERIALIZED (
         SELECT e.id FROM onceward.api_receipts e
         WHERE e.status IN ('accepted', 'rejected') AND e.received_at < now() - interval '30 days'
         ORDER BY e.received_at LIMIT at_most FOR UPDATE SKIP LOCKED)
  DELETE FROM onceward.api_receipts r USING old
  WHERE r.id = old.id AND r.status IN ('accepted', 'rejected') AND r.received_at < now() - interval '30 days';
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$$;

GRANT EXECUTE ON FUNCTION onceward.delete_expired_requests(integer), onceward.delete_old_hook_receipts(integer),
  onceward.delete_old_api_receipts(integer) TO onceward_app;

GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.delete_expired_requests(integer) OWNER TO onceward_definer;
ALTER FUNCTION onceward.delete_old_hook_receipts(integer) OWNER TO onceward_definer;
ALTER FUNCTION onceward.delete_old_api_receipts(integer) OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;
