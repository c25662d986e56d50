package dev.onceward.ops.deadletter;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/** Reads failed and dead operations, of all workspaces. Confined to the connection's thread. */
final class OperationDeadLetters {

  // A discard is of one failure: retried and failed again, the operation is open again.
  private static final String READ =
      """
      SELECT o.id, o.workspace_id, o.event_id, o.attempt, o.last_error_code, o.last_error_summary, o.finished_at,
        CASE WHEN d.discarded THEN 'discarded' ELSE o.state END AS state,
        coalesce(
          (SELECT k.event_type FROM onceward.kept_events k WHERE k.event_id = o.event_id),
          (SELECT e.event_type FROM onceward.outbox_events e WHERE e.id = o.event_id)) AS event_type,
        (SELECT count(*) FROM onceward.dead_letter_acts a
         WHERE a.operation_id = o.id AND a.act = 'redriven') AS redrives
      FROM onceward.operations o
      CROSS JOIN LATERAL (SELECT EXISTS (
        SELECT FROM onceward.dead_letter_acts a
        WHERE a.operation_id = o.id AND a.event_id = o.event_id AND a.act = 'discarded') AS discarded) d
      WHERE o.state IN ('failed', 'dead')
      """;

  private static final String MATCHING =
      """
        AND d.discarded = ? AND (?::uuid IS NULL OR o.workspace_id = ?)
        AND (?::timestamptz IS NULL OR o.finished_at >= ?) AND (?::timestamptz IS NULL OR o.finished_at < ?)
      ORDER BY o.finished_at
      """;

  private final Connection connection;

  OperationDeadLetters(Connection connection) {
    this.connection = connection;
  }

  void forEach(DeadLetterFilter filter, boolean discarded, Consumer<DeadLetter> each)
      throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(READ + MATCHING)) {
      query.setFetchSize(Rows.FETCH_SIZE);
      query.setBoolean(1, discarded);
      Rows.bind(query, 2, filter);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          DeadLetter letter = read(row);
          if (filter.matches(letter)) {
            each.accept(letter);
          }
        }
      }
    }
  }

  /** By the operation's id. */
  Optional<DeadLetter> find(UUID operationId) throws SQLException {
    return find("AND o.id = ?", operationId);
  }

  /** By the id of its newest event. */
  Optional<DeadLetter> findByEvent(UUID eventId) throws SQLException {
    return find("AND o.event_id = ?", eventId);
  }

  /** What its newest event asked for; empty where that is not known any more. */
  Optional<String> payload(UUID eventId) throws SQLException {
    String sql =
        """
        SELECT payload::text FROM onceward.kept_events WHERE event_id = ?
        UNION ALL SELECT payload::text FROM onceward.outbox_events WHERE id = ? LIMIT 1
        """;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setObject(1, eventId);
      query.setObject(2, eventId);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }

  /** The state of an operation that has not failed; empty if there is none of that id. */
  Optional<String> stateOf(UUID operationId) throws SQLException {
    String sql = "SELECT state FROM onceward.operations WHERE id = ?";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setObject(1, operationId);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(row.getString(1)) : Optional.empty();
      }
    }
  }

  private Optional<DeadLetter> find(String condition, UUID id) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(READ + condition)) {
      query.setObject(1, id);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  private static DeadLetter read(ResultSet row) throws SQLException {
    UUID id = row.getObject("id", UUID.class);
    return new DeadLetter(
        DeadLetterKind.OPERATION,
        id.toString(),
        row.getString("state"),
        row.getObject("workspace_id", UUID.class),
        row.getObject("event_id", UUID.class),
        id,
        row.getString("event_type"),
        row.getString("last_error_code"),
        row.getString("last_error_summary"),
        row.getInt("attempt"),
        row.getInt("redrives"),
        row.getTimestamp("finished_at").toInstant(),
        null);
  }
}
