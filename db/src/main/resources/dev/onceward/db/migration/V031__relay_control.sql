-- What an operator does to a relay: pausing it, and telling it that its database was restored or upgraded.

ALTER TABLE onceward.relay_state
  -- While set, no relay of this slot streams. Both or neither.
  ADD COLUMN paused_at timestamptz,
  ADD COLUMN paused_by text,
  ADD CONSTRAINT relay_state_pause_is_whole CHECK ((paused_at IS NULL) = (paused_by IS NULL)),
  ADD CONSTRAINT relay_state_paused_by_length CHECK (char_length(paused_by) BETWEEN 1 AND 200),
  ADD CONSTRAINT relay_state_paused_by_without_secret CHECK (NOT onceward.text_has_secret(paused_by));

GRANT UPDATE (paused_at, paused_by) ON onceward.relay_state TO onceward_ops;

-- Each repair, for good.
CREATE TABLE onceward.relay_repairs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  relay text NOT NULL,
  kind text NOT NULL,
  repaired_at timestamptz NOT NULL DEFAULT now(),
  repaired_by text NOT NULL,
  old_system_identifier bigint,
  new_system_identifier bigint NOT NULL,
  old_delivered_snapshot pg_snapshot,
  old_audited_snapshot pg_snapshot,
  -- Rows that bore the number of a transaction which this server has not had yet.
  renumbered_rows bigint NOT NULL,
  CONSTRAINT relay_repairs_kind_known CHECK (kind IN ('restored', 'upgraded')),
  CONSTRAINT relay_repairs_repaired_by_length CHECK (char_length(repaired_by) BETWEEN 1 AND 200),
  CONSTRAINT relay_repairs_repaired_by_without_secret CHECK (NOT onceward.text_has_secret(repaired_by))
);

GRANT SELECT ON onceward.relay_repairs TO onceward_relay, onceward_ops, onceward_ops_read;

GRANT UPDATE (system_identifier, delivered_snapshot, delivered_lsn, delivered_at, audited_snapshot, audited_at,
    kafka_positions)
  ON onceward.relay_state TO onceward_definer;
GRANT INSERT, SELECT ON onceward.relay_repairs TO onceward_definer;

-- After a restore from a dump the rows bear numbers of the old server's transactions, maybe ones that this server has yet
-- to give out. No snapshot would see them for a long time, so a repair gives them its own number. (xid is not published.)
CREATE POLICY definer_renumbers ON onceward.outbox_events FOR UPDATE TO onceward_definer
  USING (xid >= pg_snapshot_xmax(pg_current_snapshot())) WITH CHECK (xid = pg_current_xact_id());
GRANT UPDATE (xid) ON onceward.outbox_events TO onceward_definer;

-- upgraded: the server has a new identifier and a new log, but its transactions go on (pg_upgrade). What was audited stays
-- so. restored: an older state came back, here or elsewhere, and numbers of transactions may be given out twice. All that
-- was delivered and audited is forgotten, and the next term compares the whole outbox with Kafka.
-- It takes the leader's own lock, so that no relay leads meanwhile, and only ever forgets: it cannot claim that something
-- was delivered.
CREATE FUNCTION onceward.relay_repair(wanted text, repair_kind text, who text)
RETURNS SETOF onceward.relay_repairs
LANGUAGE plpgsql VOLATILE SECURITY DEFINER SET search_path = onceward, pg_temp SET lock_timeout = '2s' AS $$
DECLARE
  state onceward.relay_state;
  identifier bigint := (SELECT c.system_identifier FROM pg_control_system() c);
  renumbered bigint := 0;
BEGIN
  IF repair_kind IS NULL OR repair_kind NOT IN ('restored', 'upgraded') THEN
    RAISE EXCEPTION 'no kind of repair: %', repair_kind USING ERRCODE = 'invalid_parameter_value';
  END IF;
  BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('onceward relay ' || wanted, 0));
  EXCEPTION WHEN lock_not_available THEN
    RAISE EXCEPTION 'a relay leads' USING ERRCODE = 'object_in_use';
  END;
  SELECT * INTO state FROM onceward.relay_state s WHERE s.relay = wanted;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no relay of that name' USING ERRCODE = 'no_data_found';
  END IF;
  IF repair_kind = 'upgraded' THEN
    IF pg_snapshot_xmax(state.audited_snapshot) > pg_snapshot_xmax(pg_current_snapshot())
      OR pg_snapshot_xmax(state.delivered_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) THEN
      RAISE EXCEPTION 'transactions do not go on' USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    UPDATE onceward.relay_state SET system_identifier = identifier, delivered_lsn = NULL WHERE relay = wanted;
  ELSE
    UPDATE onceward.relay_state
    SET system_identifier = identifier, delivered_snapshot = NULL, delivered_lsn = NULL, delivered_at = NULL,
      audited_snapshot = NULL, audited_at = NULL, kafka_positions = NULL
    WHERE relay = wanted;
    UPDATE onceward.outbox_events SET xid = pg_current_xact_id()
    WHERE xid >= pg_snapshot_xmax(pg_current_snapshot());
    GET DIAGNOSTICS renumbered = ROW_COUNT;
  END IF;
  RETURN QUERY
  INSERT INTO onceward.relay_repairs (relay, kind, repaired_by, old_system_identifier, new_system_identifier,
    old_delivered_snapshot, old_audited_snapshot, renumbered_rows)
  VALUES (wanted, repair_kind, who, state.system_identifier, identifier, state.delivered_snapshot,
    state.audited_snapshot, renumbered)
  RETURNING *;
END
$$;

GRANT EXECUTE ON FUNCTION onceward.relay_repair(text, text, text) TO onceward_ops;

GRANT CREATE ON SCHEMA onceward TO onceward_definer;
ALTER FUNCTION onceward.relay_repair(text, text, text) OWNER TO onceward_definer;
REVOKE CREATE ON SCHEMA onceward FROM onceward_definer;
