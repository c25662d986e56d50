package dev.onceward.event.inbox;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.UUID;

/**
 * Remembers which events one consumer has dealt with, in the table {@code onceward_inbox} of its
 * own database. Immutable and thread-safe.
 */
public final class Inbox {

  /** Makes the table; for the consumer's own migrations. */
  public static final String CREATE_TABLE =
      """
      CREATE TABLE IF NOT EXISTS onceward_inbox (
        consumer text NOT NULL,
        event_id uuid NOT NULL,
        received_at timestamptz NOT NULL DEFAULT now(),
        PRIMARY KEY (consumer, event_id)
      )
      """;

  private final String consumer;

  /**
   * The inbox of one consumer.
   *
   * @param consumer its name; consumers of different names each deal with every event
   */
  public Inbox(String consumer) {
    if (consumer.isBlank()) {
      throw new IllegalArgumentException("a consumer has a name");
    }
    this.consumer = consumer;
  }

  /**
   * Notes the event in the caller's transaction, together with its effect.
   *
   * @return false if a transaction that was committed has noted it before: then there is nothing to
   *     do. Waits for one that is under way.
   */
  public boolean isNew(Connection connection, UUID eventId) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO onceward_inbox (consumer, event_id) VALUES (?, ?) ON CONFLICT DO NOTHING")) {
      statement.setString(1, consumer);
      statement.setObject(2, eventId);
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * Forgets events that came long ago: choose a time before which Kafka keeps nothing any more, and
   * from which nobody replays.
   *
   * @return how many were forgotten
   */
  public int forget(Connection connection, Instant before) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "DELETE FROM onceward_inbox WHERE consumer = ? AND received_at < ?")) {
      statement.setString(1, consumer);
      statement.setTimestamp(2, Timestamp.from(before));
      return statement.executeUpdate();
    }
  }
}
