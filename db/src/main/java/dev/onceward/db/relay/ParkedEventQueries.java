package dev.onceward.db.relay;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * What the relay asks {@code parked_events} across all workspaces; it writes nothing. Stateless.
 */
public final class ParkedEventQueries {
  private static final String KNOWN =
      """
      SELECT event_id, workspace_id, topic, partition_key, xid::text,
        status = 'pending' AS pending,
        status = 'pending' AND replay_id IS NULL AS holds_up,
        NOT pg_visible_in_snapshot(xid, ?::pg_snapshot) AS unaudited
      FROM onceward.parked_events
      WHERE status = 'pending' OR NOT pg_visible_in_snapshot(xid, ?::pg_snapshot)
      """;

  private static final String DUE =
      """
      SELECT topic, workspace_id FROM onceward.parked_events
      WHERE status = 'pending' AND next_attempt_at <= now() AND (locked_until IS NULL OR locked_until <= now())
      GROUP BY topic, workspace_id ORDER BY min(park_order)
      """;

  private static final String PENDING =
      """
      SELECT topic, count(*), (extract(epoch FROM now() - min(parked_at)) * 1000)::bigint
      FROM onceward.parked_events WHERE status = 'pending' GROUP BY topic
      """;

  private static final String DEAD =
      "SELECT count(*) FROM onceward.parked_events WHERE status = 'dead_letter'";

  /**
   * An event that is parked when a term begins.
   *
   * @param pending whether it is no dead letter
   * @param holdsUp whether later events of its partition key wait behind it
   * @param unaudited whether the audit does not know of it yet
   */
  public record Known(
      UUID eventId,
      UUID workspaceId,
      String topic,
      String partitionKey,
      long xid,
      boolean pending,
      boolean holdsUp,
      boolean unaudited) {}

  /** Where something is due. */
  public record Due(String topic, UUID workspaceId) {}

  /** What is pending, and what the audited snapshot does not see. */
  public List<Known> known(Connection connection, Snapshot audited) throws SQLException {
    List<Known> known = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(KNOWN)) {
      query.setString(1, audited.toString());
      query.setString(2, audited.toString());
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          known.add(
              new Known(
                  row.getObject("event_id", UUID.class),
                  row.getObject("workspace_id", UUID.class),
                  row.getString("topic"),
                  row.getString("partition_key"),
                  Long.parseUnsignedLong(row.getString("xid")),
                  row.getBoolean("pending"),
                  row.getBoolean("holds_up"),
                  row.getBoolean("unaudited")));
        }
      }
    }
    return known;
  }

  /** Topics and workspaces with something due; the longest waiting first. */
  public List<Due> due(Connection connection) throws SQLException {
    List<Due> due = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(DUE);
        ResultSet row = query.executeQuery()) {
      while (row.next()) {
        due.add(new Due(row.getString(1), row.getObject(2, UUID.class)));
      }
    }
    return due;
  }

  /** How many wait, by topic. */
  public List<ParkedCount> pending(Connection connection) throws SQLException {
    List<ParkedCount> counts = new ArrayList<>();
    try (PreparedStatement query = connection.prepareStatement(PENDING);
        ResultSet row = query.executeQuery()) {
      while (row.next()) {
        counts.add(
            new ParkedCount(row.getString(1), row.getLong(2), Duration.ofMillis(row.getLong(3))));
      }
    }
    return counts;
  }

  /** How many dead letters there are. */
  public long dead(Connection connection) throws SQLException {
    try (PreparedStatement query = connection.prepareStatement(DEAD);
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getLong(1);
    }
  }
}
