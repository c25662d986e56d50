-- Retention of the outbox: what is older than the retention and proven to be in Kafka goes, a partition at a time. The
-- leading relay calls these functions, each call in a transaction of its own.

-- Whether every relay has audited every row of a range of ids that the caller can see committed. No relay, or one that
-- has audited nothing yet, proves nothing; nor does a snapshot that is ahead of this server's own.
-- VOLATILE: a snapshot from before the caller's lock would miss the rows that the lock has waited for.
CREATE FUNCTION onceward.outbox_is_audited(first_id uuid, end_id uuid) RETURNS boolean
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = onceward, pg_temp
-- It runs under the lock that holds up writers. Only the rows since the oldest transaction that was running are looked
-- at, by the index on xid: a sort would read the whole partition first, and compiling takes longer than the look.
SET enable_sort = off SET enable_seqscan = off SET enable_bitmapscan = off SET jit = off AS $$
DECLARE
  audited pg_snapshot[];
  oldest_running xid8;
  seen xid8;
BEGIN
  SELECT array_agg(s.audited_snapshot), min(pg_snapshot_xmin(s.audited_snapshot))
  INTO audited, oldest_running
  FROM onceward.relay_state s
  HAVING bool_and(s.audited_snapshot IS NOT NULL
    AND pg_snapshot_xmax(s.audited_snapshot) <= pg_snapshot_xmax(pg_current_snapshot()));
  IF audited IS NULL THEN
    RETURN false;
  END IF;
  FOR seen IN
    SELECT e.xid FROM onceward.outbox_events e
    WHERE e.id >= first_id AND e.id < end_id AND e.xid >= oldest_running
    ORDER BY e.xid DESC
  LOOP
    IF EXISTS (SELECT FROM unnest(audited) a WHERE NOT pg_visible_in_snapshot(seen, a)) THEN
      RETURN false;
    END IF;
  END LOOP;
  RETURN true;
END
$$;

-- The policy that lets the definer see every event came with due_operations.
GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.outbox_is_audited(uuid, uuid) OWNER TO onceward_definer;
SET LOCAL ROLE onceward_definer;
GRANT EXECUTE ON FUNCTION onceward.outbox_is_audited(uuid, uuid) TO onceward_owner;
RESET ROLE;

-- The daily partitions that ended longer ago than the retention, oldest first. Only those that
-- outbox_create_partitions made: name and bounds must agree.
CREATE FUNCTION onceward.outbox_old_partitions(retention interval)
RETURNS TABLE (partition_name text, first_id uuid, end_id uuid)
LANGUAGE plpgsql STABLE SET search_path = onceward, pg_temp AS $$
BEGIN
  IF retention IS NULL OR retention < interval '1 day' THEN
    RAISE EXCEPTION 'no retention: %', retention
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Keep events for at least a day.';
  END IF;
  RETURN QUERY
  SELECT c.relname::text, b.first_id, b.end_id
  FROM pg_inherits i
  JOIN pg_class c ON c.oid = i.inhrelid AND c.relname ~ '^outbox_events_\d{8}$'
  CROSS JOIN LATERAL (SELECT to_date(right(c.relname, 8), 'YYYYMMDD')::timestamp AT TIME ZONE 'UTC' AS start) AS d
  CROSS JOIN LATERAL (
    SELECT onceward.uuid_v7_lower_bound(d.start) AS first_id,
      onceward.uuid_v7_lower_bound(d.start + interval '24 hours') AS end_id) AS b
  WHERE i.inhparent = 'onceward.outbox_events'::regclass
    AND d.start + interval '24 hours' <= now() - retention
    AND pg_get_expr(c.relpartbound, c.oid) = format('FOR VALUES FROM (%L) TO (%L)', b.first_id, b.end_id)
  ORDER BY c.relname;
END
$$;

-- Drops one of them and says dropped, not_audited, locked (both: try again later) or absent (no such old partition).
-- DETACH needs the parent for itself. Whoever writes meanwhile waits for at most lock_timeout and the few milliseconds of
-- the work; behind a long-open writer it gives up and tries again at another time.
CREATE FUNCTION onceward.outbox_drop_partition(wanted text, retention interval) RETURNS text
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = onceward, pg_temp SET lock_timeout = '100ms' AS $$
DECLARE
  old record;
BEGIN
  IF current_setting('transaction_isolation') <> 'read committed' THEN
    RAISE EXCEPTION 'the check after the lock needs a snapshot of its own'
      USING ERRCODE = 'invalid_transaction_state', HINT = 'Call it in a READ COMMITTED transaction.';
  END IF;
  SELECT * INTO old FROM onceward.outbox_old_partitions(retention) o WHERE o.partition_name = wanted;
  IF NOT FOUND THEN
    RETURN 'absent';
  END IF;
  -- First without any lock, so that nobody is held up for a partition that must stay.
  IF NOT onceward.outbox_is_audited(old.first_id, old.end_id) THEN
    RETURN 'not_audited';
  END IF;
  BEGIN
    LOCK TABLE ONLY onceward.outbox_events IN ACCESS EXCLUSIVE MODE;
    -- Writers wait from here on: no second wait.
    EXECUTE format('LOCK TABLE onceward.%I, onceward.outbox_events_default IN ACCESS EXCLUSIVE MODE NOWAIT', wanted);
    -- A transaction that wrote here may have ended between the first look and the lock.
    IF NOT onceward.outbox_is_audited(old.first_id, old.end_id) THEN
      RETURN 'not_audited';
    END IF;
    EXECUTE format('ALTER TABLE onceward.outbox_events DETACH PARTITION onceward.%I', wanted);
    EXECUTE format('DROP TABLE onceward.%I', wanted);
  EXCEPTION
    WHEN lock_not_available THEN
      RETURN 'locked';
  END;
  RETURN 'dropped';
END
$$;

-- DEFAULT takes what has no partition, so ids of any time lie there: the row's own age counts. Its rows are deleted and
-- never moved: a move is decoded as an insert.
CREATE INDEX outbox_events_default_by_age ON onceward.outbox_events_default (created_at);

CREATE POLICY definer_sees_all ON onceward.outbox_events_default FOR SELECT TO onceward_definer USING (true);
CREATE POLICY definer_deletes_old ON onceward.outbox_events_default FOR DELETE TO onceward_definer
  USING (created_at < now() - interval '1 day');
GRANT SELECT (id, xid, created_at), DELETE ON onceward.outbox_events_default TO onceward_definer;

CREATE FUNCTION onceward.outbox_delete_old_default_rows(retention interval, at_most integer) RETURNS integer
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = onceward, pg_temp AS $$
DECLARE
  deleted integer;
BEGIN
  IF retention IS NULL OR retention < interval '1 day' THEN
    RAISE EXCEPTION 'no retention: %', retention
      USING ERRCODE = 'invalid_parameter_value', HINT = 'Keep events for at least a day.';
  END IF;
  WITH old AS MATERIALIZED (
    SELECT e.id FROM onceward.outbox_events_default e
    WHERE e.created_at < now() - retention
      AND EXISTS (SELECT FROM onceward.relay_state)
      AND NOT EXISTS (
        SELECT FROM onceward.relay_state s
        WHERE s.audited_snapshot IS NULL
          OR pg_snapshot_xmax(s.audited_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
          OR NOT pg_visible_in_snapshot(e.xid, s.audited_snapshot))
    ORDER BY e.created_at LIMIT at_most)
  DELETE FROM onceward.outbox_events_default d USING old WHERE d.id = old.id;
  GET DIAGNOSTICS deleted = ROW_COUNT;
  RETURN deleted;
END
$$;

GRANT EXECUTE ON FUNCTION onceward.outbox_old_partitions(interval), onceward.outbox_drop_partition(text, interval),
  onceward.outbox_delete_old_default_rows(interval, integer) TO onceward_relay;

ALTER FUNCTION onceward.outbox_delete_old_default_rows(interval, integer) OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;
