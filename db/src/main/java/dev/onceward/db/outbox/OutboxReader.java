package dev.onceward.db.outbox;

import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/** Reads events back from the outbox. Stateless. */
public final class OutboxReader {

  private OutboxReader() {}

  /**
   * The event as it was written, or empty if the transaction's workspace has none of that id or the
   * retention has taken it.
   */
  public static Optional<OutboxRow> find(Connection connection, UUID eventId) throws SQLException {
    String sql =
        """
        SELECT workspace_id, event_type, payload_version, aggregate_type, aggregate_id, resource_type, resource_id,
          business_key, request_id, correlation_id, traceparent, payload
        FROM onceward.outbox_events WHERE id = ?
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, eventId);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        return Optional.of(
            new OutboxRow(
                eventId,
                row.getObject("workspace_id", UUID.class),
                row.getString("event_type"),
                row.getInt("payload_version"),
                row.getString("aggregate_type"),
                row.getString("aggregate_id"),
                row.getString("resource_type"),
                row.getString("resource_id"),
                row.getString("business_key"),
                row.getString("request_id"),
                row.getString("correlation_id"),
                row.getString("traceparent"),
                RawJson.of(row.getString("payload"))));
      }
    }
  }
}
