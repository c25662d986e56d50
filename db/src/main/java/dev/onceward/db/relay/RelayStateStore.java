package dev.onceward.db.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** The row of one relay in {@code relay_state}. Stateless but for the relay's name. */
public final class RelayStateStore {

  private final String relay;

  /**
   * The state of one relay.
   *
   * @param relay the name of its replication slot
   */
  public RelayStateStore(String relay) {
    this.relay = relay;
  }

  /** Makes the row if it is missing. */
  public void ensureExists(Connection connection) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO onceward.relay_state (relay) VALUES (?) ON CONFLICT (relay) DO NOTHING")) {
      statement.setString(1, relay);
      statement.executeUpdate();
    }
  }

  /**
   * The partition count that {@code topic} is pinned to; the first caller's {@code currentCount}
   * pins it. Another count moves aggregates to other partitions, so it changes only by an
   * operator's step.
   */
  public int pinPartitions(Connection connection, String topic, int currentCount)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.relay_state
        SET topic_partitions = jsonb_build_object(?::text, ?::int) || topic_partitions
        WHERE relay = ?
        RETURNING (topic_partitions ->> ?)::int
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, topic);
      statement.setInt(2, currentCount);
      statement.setString(3, relay);
      statement.setString(4, topic);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          throw new IllegalStateException("relay_state has no row for relay %s".formatted(relay));
        }
        return row.getInt(1);
      }
    }
  }
}
