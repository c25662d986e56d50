package dev.onceward.db.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Looks at relays and pauses them. Stateless; runs in the caller's transaction. The rows are made
 * by the relays themselves.
 */
public final class RelayControl {
  // The leader's lock: one bigint, which pg_locks shows in two halves.
  private static final String LOOK =
      """
      SELECT s.relay, s.paused_at, s.paused_by, s.system_identifier, s.delivered_lsn::text,
        s.delivered_at, s.audited_at,
        (SELECT l.pid FROM pg_locks l
         WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
           AND l.database = (SELECT d.oid FROM pg_database d WHERE d.datname = current_database())
           AND (l.classid::bigint << 32 | l.objid::bigint)
             = hashtextextended('onceward relay ' || s.relay, 0)
         LIMIT 1) AS leader_pid
      FROM onceward.relay_state s WHERE s.relay = ?
      """;

  private static final String PAUSE =
      """
      UPDATE onceward.relay_state SET paused_at = now(), paused_by = ?
      WHERE relay = ? AND paused_at IS NULL
      """;

  private static final String RESUME =
      """
      UPDATE onceward.relay_state SET paused_at = NULL, paused_by = NULL
      WHERE relay = ? AND paused_at IS NOT NULL
      """;

  /**
   * A relay as its row and the server's locks show it. Immutable.
   *
   * @param relay the name of its replication slot
   * @param pausedAt since when it is paused; null if it is not
   * @param pausedBy who paused it
   * @param leaderPid the server process of the leader's session; null if none leads
   * @param systemIdentifier of the server that it knows; null before its first term
   * @param deliveredLsn up to where the log is delivered
   * @param deliveredAt when that was
   * @param auditedAt when the last audit ended
   */
  public record Relay(
      String relay,
      @Nullable Instant pausedAt,
      @Nullable String pausedBy,
      @Nullable Integer leaderPid,
      @Nullable Long systemIdentifier,
      @Nullable String deliveredLsn,
      @Nullable Instant deliveredAt,
      @Nullable Instant auditedAt) {}

  private RelayControl() {}

  /**
   * The relay of a slot.
   *
   * @throws RelayRefusedException if there is none, naming those that there are
   */
  public static Relay look(Connection connection, String relay)
      throws SQLException, RelayRefusedException {
    try (PreparedStatement query = connection.prepareStatement(LOOK)) {
      query.setString(1, relay);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          throw unknown(connection, relay);
        }
        long identifier = row.getLong("system_identifier");
        Long systemIdentifier = row.wasNull() ? null : identifier;
        int pid = row.getInt("leader_pid");
        Integer leaderPid = row.wasNull() ? null : pid;
        return new Relay(
            row.getString("relay"),
            instant(row.getTimestamp("paused_at")),
            row.getString("paused_by"),
            leaderPid,
            systemIdentifier,
            row.getString("delivered_lsn"),
            instant(row.getTimestamp("delivered_at")),
            instant(row.getTimestamp("audited_at")));
      }
    }
  }

  /**
   * Pauses a relay: whoever leads ends its stream, and none begins one.
   *
   * @param pausedBy who does it, 1 to 200 characters
   * @return false if it is paused already; then who paused it stays
   * @throws RelayRefusedException if there is no such relay
   */
  public static boolean pause(Connection connection, String relay, String pausedBy)
      throws SQLException, RelayRefusedException {
    requireKnown(connection, relay);
    try (PreparedStatement statement = connection.prepareStatement(PAUSE)) {
      statement.setString(1, pausedBy);
      statement.setString(2, relay);
      return statement.executeUpdate() == 1;
    }
  }

  /**
   * Lets a relay go on.
   *
   * @return false if it was not paused
   * @throws RelayRefusedException if there is no such relay
   */
  public static boolean resume(Connection connection, String relay)
      throws SQLException, RelayRefusedException {
    requireKnown(connection, relay);
    try (PreparedStatement statement = connection.prepareStatement(RESUME)) {
      statement.setString(1, relay);
      return statement.executeUpdate() == 1;
    }
  }

  /** Whether an operator has paused the relay; false if it has no row yet. For the relay itself. */
  public static boolean isPaused(Connection connection, String relay) throws SQLException {
    String sql = "SELECT paused_at IS NOT NULL FROM onceward.relay_state WHERE relay = ?";
    try (PreparedStatement query = connection.prepareStatement(sql)) {
      query.setString(1, relay);
      try (ResultSet row = query.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  static void requireKnown(Connection connection, String relay)
      throws SQLException, RelayRefusedException {
    try (PreparedStatement query =
        connection.prepareStatement("SELECT FROM onceward.relay_state WHERE relay = ?")) {
      query.setString(1, relay);
      try (ResultSet row = query.executeQuery()) {
        if (!row.next()) {
          throw unknown(connection, relay);
        }
      }
    }
  }

  private static RelayRefusedException unknown(Connection connection, String relay)
      throws SQLException {
    List<String> known = new ArrayList<>();
    try (PreparedStatement query =
            connection.prepareStatement("SELECT relay FROM onceward.relay_state ORDER BY relay");
        ResultSet row = query.executeQuery()) {
      while (row.next()) {
        known.add(row.getString(1));
      }
    }
    return new RelayRefusedException(
        "No relay has ever run with the slot \"" + relay + "\"",
        known.isEmpty()
            ? "Check onceward.database.url; in this database no relay has run at all"
            : "Name one of " + known + " as onceward.relay.slot-name",
        null);
  }

  private static @Nullable Instant instant(@Nullable Timestamp time) {
    return time == null ? null : time.toInstant();
  }
}
