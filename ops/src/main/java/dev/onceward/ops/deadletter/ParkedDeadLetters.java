package dev.onceward.ops.deadletter;

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Reads {@code parked_events}, of all workspaces. Confined to the connection's thread. */
final class ParkedDeadLetters {

  // The event's type is in the record's headers; a row without record form has only its outbox row,
  // while that is kept.
  private static final String READ =
      """
      SELECT p.event_id, p.workspace_id, p.status, p.attempt_count, p.parked_at, p.last_error_code,
        p.last_error_summary,
        coalesce(
          (SELECT h.header ->> 'value'
           FROM json_array_elements(
             CASE json_typeof(p.record_headers) WHEN 'array' THEN p.record_headers ELSE '[]' END) AS h (header)
           WHERE h.header ->> 'name' = 'event_type' LIMIT 1),
          (SELECT e.event_type FROM onceward.outbox_events e WHERE e.id = p.event_id)) AS event_type,
        (SELECT count(*) FROM onceward.dead_letter_acts a
         WHERE a.event_id = p.event_id AND a.kind = 'parked' AND a.act = 'redriven') AS redrives
      FROM onceward.parked_events p
      """;

  private static final String MATCHING =
      """
      WHERE (p.status = 'discarded') = ? AND (?::uuid IS NULL OR p.workspace_id = ?)
        AND (?::timestamptz IS NULL OR p.parked_at >= ?) AND (?::timestamptz IS NULL OR p.parked_at < ?)
      ORDER BY p.parked_at
      """;

  private final Connection connection;

  ParkedDeadLetters(Connection connection) {
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

  Optional<DeadLetter> find(UUID eventId) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(READ + "WHERE p.event_id = ?")) {
      query.setObject(1, eventId);
      try (ResultSet row = query.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /** The record's value as text; empty if the row has no record form. */
  Optional<String> payload(UUID eventId) throws SQLException {
    String sql =
        """
        SELECT record_value FROM onceward.parked_events WHERE event_id = ? AND octet_length(record_value) > 0
        """;
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setObject(1, eventId);
      try (ResultSet row = query.executeQuery()) {
        return row.next()
            ? Optional.of(new String(row.getBytes(1), StandardCharsets.UTF_8))
            : Optional.empty();
      }
    }
  }

  private static DeadLetter read(ResultSet row) throws SQLException {
    UUID eventId = row.getObject("event_id", UUID.class);
    String status = row.getString("status");
    @Nullable String code = row.getString("last_error_code");
    return new DeadLetter(
        DeadLetterKind.PARKED,
        eventId.toString(),
        status.equals("pending") ? DeadLetter.PARKED : status,
        row.getObject("workspace_id", UUID.class),
        eventId,
        null,
        row.getString("event_type"),
        code == null ? "-" : code,
        row.getString("last_error_summary"),
        row.getInt("attempt_count"),
        row.getInt("redrives"),
        row.getTimestamp("parked_at").toInstant(),
        null);
  }
}
