package dev.onceward.ops.replay;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The table {@code replays}. Stateless; runs in the caller's transaction. */
final class ReplayStore {

  private static final int SUMMARY_LENGTH = 500;

  private static final ObjectMapper MAPPER =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .build();

  private static final String INSERT =
      """
      INSERT INTO onceward.replays (replayed_by, selection, chosen_snapshot, first_event_id, last_event_id, to_topic,
        events_per_second, kafka_positions, chosen_count)
      VALUES (?, ?::json, ?::pg_snapshot, ?, ?, ?, ?, ?::json, ?)
      RETURNING id
      """;

  // Whoever runs a replay holds its lock: one bigint, which pg_locks shows in two halves.
  private static final String SELECT =
      """
      SELECT r.*, r.chosen_snapshot::text AS snapshot,
        (SELECT l.pid FROM pg_locks l
         WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
           AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
           AND (l.classid::bigint << 32 | l.objid::bigint) = hashtextextended('onceward replay ' || r.id, 0)
         LIMIT 1) AS process_id
      FROM onceward.replays r
      """;

  private static final String LOCK =
      "SELECT pg_try_advisory_lock(hashtextextended('onceward replay ' || ?, 0))";

  private static final String TAKE_UP =
      """
      UPDATE onceward.replays
      SET state = 'running', run_number = run_number + 1, events_per_second = ?, progressed_at = now(),
        ended_at = NULL, last_error_code = NULL, last_error_summary = NULL
      WHERE id = ? AND run_number = ? AND state IN ('running', 'stopped')
      """;

  private static final String PROGRESS =
      """
      UPDATE onceward.replays
      SET acknowledged_event_id = ?, kafka_positions = ?::json, sent_count = sent_count + ?,
        refused_count = refused_count + ?, progressed_at = now(), last_error_code = coalesce(?, last_error_code),
        last_error_summary = coalesce(?, last_error_summary)
      WHERE id = ? AND run_number = ? AND state = 'running'
      """;

  private static final String END =
      """
      UPDATE onceward.replays
      SET state = ?, ended_at = now(), last_error_code = coalesce(?, last_error_code),
        last_error_summary = coalesce(?, last_error_summary)
      WHERE id = ? AND run_number = ? AND state = 'running'
      """;

  private ReplayStore() {}

  /**
   * What a new replay is.
   *
   * @param replayedBy who starts it, 1 to 200 characters
   * @param selection which events are wanted
   * @param census what was found
   * @param toTopic the private topic, or null
   * @param eventsPerSecond the most that are sent
   * @param positions where Kafka ends now
   */
  record NewReplay(
      String replayedBy,
      EventSelection selection,
      Census census,
      @Nullable String toTopic,
      int eventsPerSecond,
      KafkaPositions positions) {}

  /**
   * What has gone wrong.
   *
   * @param code stable
   * @param summary for people, without content of any record
   */
  record Trouble(String code, String summary) {}

  /** Records a new replay as running; returns its id. */
  static UUID insert(Connection connection, NewReplay wanted) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
      statement.setString(1, wanted.replayedBy());
      statement.setString(2, json(wanted.selection()));
      statement.setString(3, wanted.census().snapshot());
      statement.setObject(4, wanted.census().firstEventId());
      statement.setObject(5, wanted.census().lastEventId());
      statement.setString(6, wanted.toTopic());
      statement.setInt(7, wanted.eventsPerSecond());
      statement.setString(8, json(wanted.positions()));
      statement.setLong(9, wanted.census().chosenCount());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getObject(1, UUID.class);
      }
    }
  }

  /** The replay of that id, or empty. */
  static Optional<Replay> find(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(SELECT + "WHERE r.id = ?")) {
      query.setObject(1, id);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /** The newest ones, newest first. */
  static List<Replay> newest(Connection connection, int atMost) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(SELECT + "ORDER BY r.started_at DESC, r.id DESC LIMIT ?")) {
      query.setInt(1, atMost);
      try (ResultSet row = query.executeQuery()) {
        List<Replay> replays = new ArrayList<>();
        while (row.next()) {
          replays.add(read(row));
        }
        return replays;
      }
    }
  }

  /** Takes the lock of whoever runs it, until the session ends; false if another one has it. */
  static boolean lock(Connection connection, UUID id) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(LOCK)) {
      statement.setString(1, id.toString());
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }

  /** Makes a stopped or abandoned one running again; false if it has changed meanwhile. */
  static boolean takeUp(Connection connection, Replay replay, int eventsPerSecond)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TAKE_UP)) {
      statement.setInt(1, eventsPerSecond);
      statement.setObject(2, replay.id());
      statement.setInt(3, replay.runNumber());
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * What one page has come to.
   *
   * @param acknowledgedEventId the last event of the page
   * @param positions where Kafka stands after it
   * @param sentCount how many of the page are in Kafka
   * @param refusedCount how many never will be
   * @param trouble with those, or null
   */
  record Progress(
      UUID acknowledgedEventId,
      KafkaPositions positions,
      int sentCount,
      int refusedCount,
      @Nullable Trouble trouble) {}

  /** Notes progress; false if this run is not the one that counts any more. */
  static boolean progress(Connection connection, Replay run, Progress made) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(PROGRESS)) {
      statement.setObject(1, made.acknowledgedEventId());
      statement.setString(2, json(made.positions()));
      statement.setInt(3, made.sentCount());
      statement.setInt(4, made.refusedCount());
      setTrouble(statement, 5, made.trouble());
      statement.setObject(7, run.id());
      statement.setInt(8, run.runNumber());
      return statement.executeUpdate() == 1;
    }
  }

  /** Ends a run; false if this run is not the one that counts any more. */
  static boolean end(
      Connection connection, Replay run, ReplayState state, @Nullable Trouble trouble)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(END)) {
      statement.setString(1, state.text());
      setTrouble(statement, 2, trouble);
      statement.setObject(4, run.id());
      statement.setInt(5, run.runNumber());
      return statement.executeUpdate() == 1;
    }
  }

  private static void setTrouble(PreparedStatement statement, int first, @Nullable Trouble trouble)
      throws SQLException {
    statement.setString(first, trouble == null ? null : trouble.code());
    statement.setString(
        first + 1,
        trouble == null
            ? null
            : trouble.summary().substring(0, Math.min(SUMMARY_LENGTH, trouble.summary().length())));
  }

  private static Replay read(ResultSet row) throws SQLException {
    int pid = row.getInt("process_id");
    Integer processId = row.wasNull() ? null : pid;
    return new Replay(
        row.getObject("id", UUID.class),
        row.getString("replayed_by"),
        row.getTimestamp("started_at").toInstant(),
        value(row.getString("selection"), EventSelection.class),
        row.getString("snapshot"),
        row.getObject("first_event_id", UUID.class),
        row.getObject("last_event_id", UUID.class),
        row.getString("to_topic"),
        row.getInt("events_per_second"),
        ReplayState.of(row.getString("state")),
        row.getInt("run_number"),
        row.getObject("acknowledged_event_id", UUID.class),
        value(row.getString("kafka_positions"), KafkaPositions.class),
        row.getLong("chosen_count"),
        row.getLong("sent_count"),
        row.getLong("refused_count"),
        row.getTimestamp("progressed_at").toInstant(),
        instant(row.getTimestamp("ended_at")),
        row.getString("last_error_code"),
        row.getString("last_error_summary"),
        processId);
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }

  private static String json(Object value) {
    try {
      return MAPPER.writeValueAsString(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("it cannot be written as JSON", impossible);
    }
  }

  private static <T> T value(String json, Class<T> type) {
    try {
      return MAPPER.readValue(json, type);
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("replays holds what this version cannot read", e);
    }
  }
}
