-- An operator's replays: who sent which events again, where to, and how far it got. The rows stay for good.

CREATE TABLE onceward.replays (
  -- The header replay_id of each record that it sends.
  id uuid PRIMARY KEY DEFAULT onceward.uuid_v7(),
  replayed_by text NOT NULL,
  started_at timestamptz NOT NULL DEFAULT now(),
  -- The filter as it was given; resuming reads it again.
  selection json NOT NULL,
  -- Only transactions that it sees: what was proven to be in Kafka when the replay began.
  chosen_snapshot pg_snapshot NOT NULL,
  first_event_id uuid NOT NULL,
  last_event_id uuid NOT NULL,
  -- Null: each event goes to its own topic.
  to_topic text,
  events_per_second integer NOT NULL,
  state text NOT NULL DEFAULT 'running',
  -- Each start and each resumption counts: a process that was taken for dead cannot write any more.
  run_number integer NOT NULL DEFAULT 1,
  -- Everything up to it (in the order of ids) has been acknowledged. Null: nothing yet.
  acknowledged_event_id uuid,
  -- Topic → id and offset per partition: behind it stand only records that are not counted below.
  kafka_positions json NOT NULL,
  chosen_count bigint NOT NULL,
  sent_count bigint NOT NULL DEFAULT 0,
  -- Kafka will never take them: too large, for example.
  refused_count bigint NOT NULL DEFAULT 0,
  progressed_at timestamptz NOT NULL DEFAULT now(),
  ended_at timestamptz,
  last_error_code text,
  last_error_summary text,
  CONSTRAINT replays_state_known CHECK (state IN ('running', 'stopped', 'completed')),
  CONSTRAINT replays_ended_unless_running CHECK ((state = 'running') = (ended_at IS NULL)),
  CONSTRAINT replays_replayed_by_length CHECK (char_length(replayed_by) BETWEEN 1 AND 200),
  CONSTRAINT replays_replayed_by_without_secret CHECK (NOT onceward.text_has_secret(replayed_by)),
  CONSTRAINT replays_selection_without_secret CHECK (NOT onceward.json_has_secret(selection)),
  CONSTRAINT replays_range_is_ordered CHECK (first_event_id <= last_event_id),
  CONSTRAINT replays_acknowledged_in_range CHECK (acknowledged_event_id BETWEEN first_event_id AND last_event_id),
  CONSTRAINT replays_to_topic_length CHECK (char_length(to_topic) BETWEEN 1 AND 249),
  CONSTRAINT replays_rate_positive CHECK (events_per_second > 0),
  CONSTRAINT replays_run_number_positive CHECK (run_number > 0),
  CONSTRAINT replays_chosen_positive CHECK (chosen_count > 0),
  CONSTRAINT replays_counts_not_negative CHECK (sent_count >= 0 AND refused_count >= 0),
  CONSTRAINT replays_error_is_whole CHECK (last_error_code IS NOT NULL OR last_error_summary IS NULL),
  CONSTRAINT replays_error_without_secret CHECK (NOT onceward.text_has_secret(last_error_summary))
);

GRANT SELECT ON onceward.replays TO onceward_ops, onceward_ops_read;
GRANT INSERT (replayed_by, selection, chosen_snapshot, first_event_id, last_event_id, to_topic, events_per_second,
    kafka_positions, chosen_count)
  ON onceward.replays TO onceward_ops;
GRANT UPDATE (state, run_number, events_per_second, acknowledged_event_id, kafka_positions, sent_count, refused_count,
    progressed_at, ended_at, last_error_code, last_error_summary)
  ON onceward.replays TO onceward_ops;
