-- Uploads that nobody completes: a week after their last change they are deleted with the bytes that came. From
-- processing on a media is the workspace's own and stays; the policy says so, whatever a function's defect.

CREATE POLICY definer_cleans_up ON onceward.media TO onceward_definer
  USING (status IN ('awaiting_content', 'uploaded') AND updated_at < now() - interval '7 days') WITH CHECK (false);
GRANT SELECT, DELETE ON onceward.media TO onceward_definer;
-- FOR UPDATE asks for the right to update a column; WITH CHECK (false) lets no update through.
GRANT UPDATE (updated_at) ON onceward.media TO onceward_definer;

CREATE INDEX media_not_completed ON onceward.media (updated_at) WHERE status IN ('awaiting_content', 'uploaded');

CREATE FUNCTION onceward.delete_abandoned_uploads(at_most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
DECLARE
  deleted integer;
BEGIN
  WITH abandoned AS MATERIALIZED (
         SELECT e.id FROM onceward.media e
         WHERE e.status IN ('awaiting_content', 'uploaded') AND e.updated_at < now() - interval '7 days'
         ORDER BY e.updated_at LIMIT at_most FOR UPDATE SKIP LOCKED)
  -- The bytes go along by their foreign key.
  DELETE FROM onceward.media m USING abandoned
  WHERE m.id = abandoned.id AND m.status IN ('awaiting_content', 'uploaded')
    AND m.updated_at < now() - interval '7 days';
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$$;

GRANT EXECUTE ON FUNCTION onceward.delete_abandoned_uploads(integer) TO onceward_app;

GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.delete_abandoned_uploads(integer) OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;
