package dev.onceward.db.operation;

import dev.onceward.db.UuidV7;
import dev.onceward.db.outbox.NewEvent;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;

/**
 * Events of failed operations. A trigger copies them out of the outbox when the operation fails,
 * since the outbox forgets; what failed before there was a trigger is still looked for there.
 */
final class KeptEvents {

  private KeptEvents() {}

  /** The same event under a new id and without a trace, or empty if nobody knows its words. */
  static Optional<NewEvent> again(Connection connection, UUID eventId) throws SQLException {
    String sql =
        """
        SELECT event_type, payload_version, aggregate_type, aggregate_id, resource_type, resource_id, business_key, payload
        FROM onceward.kept_events WHERE event_id = ?
        UNION ALL
        SELECT event_type, payload_version, aggregate_type, aggregate_id, resource_type, resource_id, business_key, payload
        FROM onceward.outbox_events WHERE id = ?
        LIMIT 1
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, eventId);
      statement.setObject(2, eventId);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return Optional.empty();
        }
        return Optional.of(
            new NewEvent(
                UuidV7.next(),
                row.getString(1),
                row.getInt(2),
                row.getString(3),
                row.getString(4),
                row.getString(5),
                row.getString(6),
                row.getString(7),
                null,
                null,
                null,
                row.getString(8)));
      }
    }
  }
}
