-- What parking needs besides the record: the order, the transaction, and the mark of an operator's redrive.

ALTER TABLE onceward.parked_events
  -- The transaction that wrote the event. As long as the audited snapshot does not see it, the audit strikes it as parked.
  ADD COLUMN xid xid8 NOT NULL,
  -- The order of parking; within one workspace, topic and partition key it is the order of commit.
  ADD COLUMN park_order bigint GENERATED ALWAYS AS IDENTITY,
  -- The operator's replay that took it out of the dead letters; it is sent with the record.
  ADD COLUMN replay_id uuid,
  ADD CONSTRAINT parked_events_lock_only_while_pending CHECK (locked_by IS NULL OR status = 'pending');

COMMENT ON COLUMN onceward.parked_events.partition_key IS
  'What the partition is computed from: aggregate_type/aggregate_id. Events with the same one keep their order.';

-- The loop looks each second; dead letters may lie there for months.
CREATE INDEX parked_events_pending ON onceward.parked_events (topic, workspace_id, partition_key, park_order)
  WHERE status = 'pending';
CREATE INDEX parked_events_dead ON onceward.parked_events (workspace_id, parked_at) WHERE status = 'dead_letter';

-- Redrive and discard, in one workspace at a time.
GRANT UPDATE (status, attempt_count, next_attempt_at, replay_id) ON onceward.parked_events TO onceward_ops;
