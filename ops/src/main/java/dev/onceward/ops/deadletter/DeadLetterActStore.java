package dev.onceward.ops.deadletter;

import dev.onceward.db.secret.SecretGuard;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The rows of {@code dead_letter_acts}: written once, never changed. Stateless. */
public final class DeadLetterActStore {

  private static final String INSERT =
      """
      INSERT INTO onceward.dead_letter_acts (replay_id, workspace_id, kind, act, event_id, operation_id, topic, topic_id,
        topic_partition, topic_offset, event_type, last_error_code, last_error_summary, attempt_count, reason, acted_by)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String COLUMNS =
      "replay_id, act, last_error_code, last_error_summary, attempt_count, reason, acted_at,"
          + " acted_by";

  private static final String HISTORY =
      "SELECT "
          + COLUMNS
          + """
           FROM onceward.dead_letter_acts
          WHERE CASE ?
            WHEN 'parked' THEN kind = 'parked' AND event_id = ?
            WHEN 'operation' THEN operation_id = ?
            ELSE topic_id = ? AND topic_partition = ? AND topic_offset = ? END
          ORDER BY acted_at, id
          """;

  private static final String OF_TOPIC =
      """
      SELECT topic_partition, topic_offset, act FROM onceward.dead_letter_acts WHERE topic_id = ?
      """;

  // Held by the session: a command may take many transactions. It ends with the connection.
  private static final String LOCK =
      "SELECT pg_try_advisory_lock(hashtextextended('onceward dead-letters', 0))";

  private DeadLetterActStore() {}

  /**
   * What is done by one command.
   *
   * @param replayId of all its acts
   * @param act {@code redriven} or {@code discarded}
   * @param reason of a discard, else null
   * @param who does it
   */
  record Command(UUID replayId, String act, @Nullable String reason, String who) {}

  /** An act of the past. */
  public record Act(
      UUID replayId,
      String act,
      String code,
      @Nullable String summary,
      int attempts,
      @Nullable String reason,
      Instant at,
      String by) {}

  /** A partition and a topic offset of a topic that is known. */
  record Spot(int partition, long topicOffset) {}

  /** Whether this connection is now the one that changes dead letters. */
  static boolean lock(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(LOCK);
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    }
  }

  static void insert(Connection connection, Command command, DeadLetter letter)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      bind(insert, command, letter);
      insert.executeUpdate();
    }
  }

  static void insert(Connection connection, Command command, List<DeadLetter> letters)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (DeadLetter letter : letters) {
        bind(insert, command, letter);
        insert.addBatch();
      }
      insert.executeBatch();
    }
  }

  private static void bind(PreparedStatement insert, Command command, DeadLetter letter)
      throws SQLException {
    RecordPlace place = letter.place();
    insert.setObject(1, command.replayId);
    insert.setObject(2, letter.workspaceId(), Types.OTHER);
    insert.setString(3, letter.kind().label());
    insert.setString(4, command.act);
    insert.setObject(5, letter.eventId(), Types.OTHER);
    insert.setObject(6, letter.operationId(), Types.OTHER);
    insert.setString(7, place == null ? null : place.topic());
    insert.setObject(8, place == null ? null : place.topicId(), Types.OTHER);
    insert.setObject(9, place == null ? null : place.partition(), Types.INTEGER);
    insert.setObject(10, place == null ? null : place.topicOffset(), Types.BIGINT);
    insert.setString(11, letter.eventType());
    insert.setString(12, letter.code());
    insert.setString(13, storable(letter.summary()));
    insert.setInt(14, letter.attempts());
    insert.setString(15, command.reason);
    insert.setString(16, command.who);
  }

  private static @Nullable String storable(@Nullable String summary) {
    if (summary == null) {
      return null;
    }
    return SecretGuard.isSecretInText(summary)
        ? "withheld: it looks like a secret"
        : summary.replace('\0', ' ');
  }

  /** What was done to a dead letter, in order. */
  static List<Act> history(Connection connection, DeadLetter letter) throws SQLException {
    RecordPlace place = letter.place();
    List<Act> acts = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(HISTORY)) {
      query.setString(1, letter.kind().label());
      query.setObject(2, letter.eventId(), Types.OTHER);
      query.setObject(3, letter.operationId(), Types.OTHER);
      query.setObject(4, place == null ? null : place.topicId(), Types.OTHER);
      query.setObject(5, place == null ? null : place.partition(), Types.INTEGER);
      query.setObject(6, place == null ? null : place.topicOffset(), Types.BIGINT);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          acts.add(
              new Act(
                  row.getObject("replay_id", UUID.class),
                  row.getString("act"),
                  row.getString("last_error_code"),
                  row.getString("last_error_summary"),
                  row.getInt("attempt_count"),
                  row.getString("reason"),
                  row.getTimestamp("acted_at").toInstant(),
                  row.getString("acted_by")));
        }
      }
    }
    return acts;
  }

  /** What was done to records of a topic: {@code redriven} or {@code discarded}. */
  static Map<Spot, String> ofTopic(Connection connection, UUID topicId) throws SQLException {
    Map<Spot, String> acts = new HashMap<>();
    try (PreparedStatement query = connection.prepareStatement(OF_TOPIC)) {
      query.setObject(1, topicId);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          acts.put(new Spot(row.getInt(1), row.getLong(2)), row.getString(3));
        }
      }
    }
    return acts;
  }

  /** Those of these records to which nothing has been done. */
  static List<DeadLetter> stillOpen(Connection connection, List<DeadLetter> records)
      throws SQLException {
    Map<UUID, Map<Spot, String>> acts = new HashMap<>();
    List<DeadLetter> open = new ArrayList<>();
    for (DeadLetter letter : records) {
      RecordPlace place = Objects.requireNonNull(letter.place());
      Map<Spot, String> known = acts.get(place.topicId());
      if (known == null) {
        known = ofTopic(connection, place.topicId());
        acts.put(place.topicId(), known);
      }
      if (!known.containsKey(new Spot(place.partition(), place.topicOffset()))) {
        open.add(letter);
      }
    }
    return open;
  }
}
