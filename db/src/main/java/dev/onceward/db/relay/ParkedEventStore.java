package dev.onceward.db.relay;

import java.sql.Array;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * The rows of {@code parked_events}. Whatever writes runs in a transaction whose workspace is set
 * and touches that workspace alone; {@link ParkedEventQueries} looks across all. Stateless.
 *
 * <p>A lease belongs to an owner and ends by itself. Who does not hold it changes nothing: each
 * write-back names the owner and says how many rows it found.
 */
public final class ParkedEventStore {
  private static final String INSERT =
      """
      INSERT INTO onceward.parked_events (event_id, workspace_id, xid, topic, partition_key, record_key, record_value,
        record_headers, status, last_error_code, last_error_summary)
      VALUES (?, ?, ?::xid8, ?, ?, ?, ?, ?::json, ?, ?, ?)
      ON CONFLICT (event_id) DO NOTHING
      """;

  /**
   * Of each partition key only a run from its first waiting event on: nothing overtakes an event
   * that is not due, leased by another or locked. What an operator redrives comes late anyway and
   * holds nothing up.
   */
  private static final String CLAIM =
      """
      WITH waiting AS MATERIALIZED (
        SELECT w.partition_key, min(w.park_order) AS first_order FROM onceward.parked_events w
        WHERE w.workspace_id = ? AND w.topic = ? AND w.status = 'pending' AND w.replay_id IS NULL
          AND (w.next_attempt_at > now() OR w.locked_until > now())
        GROUP BY w.partition_key),
      due AS (
        SELECT d.event_id, d.partition_key, d.park_order FROM onceward.parked_events d
        WHERE d.workspace_id = ? AND d.topic = ? AND d.status = 'pending' AND d.next_attempt_at <= now()
          AND (d.locked_until IS NULL OR d.locked_until <= now())
          AND NOT EXISTS (
            SELECT FROM waiting w WHERE w.partition_key = d.partition_key AND w.first_order < d.park_order)
        ORDER BY d.park_order LIMIT ? FOR UPDATE SKIP LOCKED)
      UPDATE onceward.parked_events p
      SET locked_by = ?, locked_until = now() + ? * interval '1 millisecond', attempt_count = p.attempt_count + 1
      FROM due
      WHERE p.event_id = due.event_id AND NOT EXISTS (
        -- An earlier one that another transaction has locked was skipped.
        SELECT FROM onceward.parked_events e
        WHERE e.topic = p.topic AND e.workspace_id = p.workspace_id AND e.partition_key = p.partition_key
          AND e.status = 'pending' AND e.replay_id IS NULL AND e.park_order < p.park_order
          AND e.event_id NOT IN (SELECT event_id FROM due))
      RETURNING p.event_id, p.workspace_id, p.xid::text, p.topic, p.partition_key, p.record_key, p.record_value,
        p.record_headers::text, p.park_order, p.attempt_count, p.replay_id
      """;

  private static final String RENEW =
      """
      UPDATE onceward.parked_events SET locked_until = now() + ? * interval '1 millisecond'
      WHERE event_id = ANY (?) AND locked_by = ? AND locked_until > now()
      """;

  private static final String DELIVERED =
      "DELETE FROM onceward.parked_events WHERE event_id = ANY (?) AND locked_by = ?";

  private static final String WRITE_BACK =
      """
      UPDATE onceward.parked_events
      SET status = ?, attempt_count = attempt_count - ?, next_attempt_at = now() + ? * interval '1 millisecond',
        last_error_code = ?, last_error_summary = ?, locked_by = NULL, locked_until = NULL
      WHERE event_id = ? AND locked_by = ?
      """;

  private static final String REDRIVE =
      """
      UPDATE onceward.parked_events SET status = 'pending', attempt_count = 0, next_attempt_at = now(), replay_id = ?
      WHERE event_id = ANY (?) AND status = 'dead_letter' AND octet_length(record_value) > 0
      """;

  private static final String DISCARD =
      """
      UPDATE onceward.parked_events SET status = 'discarded' WHERE event_id = ANY (?) AND status = 'dead_letter'
      """;

  /**
   * Parks events of one workspace, in their order.
   *
   * @return for each whether it was not parked already
   */
  public List<Boolean> insert(
      Connection connection, List<ParkedEvent> events, ParkedEvent.Reason reason)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(INSERT)) {
      for (ParkedEvent event : events) {
        insert.setObject(1, event.eventId());
        insert.setObject(2, event.workspaceId());
        insert.setString(3, Long.toUnsignedString(event.xid()));
        insert.setString(4, event.topic());
        insert.setString(5, event.partitionKey());
        insert.setBytes(6, event.key());
        insert.setBytes(7, event.value());
        insert.setString(8, event.headers());
        insert.setString(9, reason.permanent() ? "dead_letter" : "pending");
        insert.setString(10, reason.code());
        insert.setString(11, reason.summary());
        insert.addBatch();
      }
      List<Boolean> inserted = new ArrayList<>(events.size());
      for (int rows : insert.executeBatch()) {
        inserted.add(rows == 1);
      }
      return inserted;
    }
  }

  /** Who claims, and for how long. */
  public record Lease(String owner, Duration length) {}

  /**
   * Claims what is due of one topic and one workspace, in the order of parking, and counts the
   * attempt.
   */
  public List<LeasedEvent> claim(
      Connection connection, Lease lease, UUID workspaceId, String topic, int limit)
      throws SQLException {
    List<LeasedEvent> claimed = new ArrayList<>();
    try (PreparedStatement claim = connection.prepareStatement(CLAIM)) {
      claim.setObject(1, workspaceId);
      claim.setString(2, topic);
      claim.setObject(3, workspaceId);
      claim.setString(4, topic);
      claim.setInt(5, limit);
      claim.setString(6, lease.owner);
      claim.setLong(7, lease.length.toMillis());
      try (ResultSet row = claim.executeQuery()) {
        while (row.next()) {
          claimed.add(leased(row));
        }
      }
    }
    claimed.sort(Comparator.comparingLong(LeasedEvent::order));
    return claimed;
  }

  private static LeasedEvent leased(ResultSet row) throws SQLException {
    ParkedEvent event =
        new ParkedEvent(
            row.getObject("event_id", UUID.class),
            row.getObject("workspace_id", UUID.class),
            Long.parseUnsignedLong(row.getString("xid")),
            row.getString("topic"),
            row.getString("partition_key"),
            row.getBytes("record_key"),
            row.getBytes("record_value"),
            row.getString("record_headers"));
    return new LeasedEvent(
        event,
        row.getLong("park_order"),
        row.getInt("attempt_count"),
        row.getObject("replay_id", UUID.class));
  }

  /**
   * Makes leases longer that are held and have not ended.
   *
   * @return how many
   */
  public int renew(Connection connection, Lease lease, Collection<UUID> eventIds)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(RENEW)) {
      update.setLong(1, lease.length.toMillis());
      update.setArray(2, array(connection, eventIds));
      update.setString(3, lease.owner);
      return update.executeUpdate();
    }
  }

  /**
   * Kafka has them.
   *
   * @return how many rows the owner still held
   */
  public int delivered(Connection connection, String owner, Collection<UUID> eventIds)
      throws SQLException {
    try (PreparedStatement delete = connection.prepareStatement(DELIVERED)) {
      delete.setArray(1, array(connection, eventIds));
      delete.setString(2, owner);
      return delete.executeUpdate();
    }
  }

  /**
   * How an attempt ended that did not deliver.
   *
   * @param dead whether it was the last
   * @param counts whether the attempt counts
   * @param pause until the next attempt
   * @param code a stable code
   * @param summary for an operator, without content and secrets
   */
  public record Failure(
      boolean dead, boolean counts, Duration pause, String code, String summary) {}

  /**
   * Ends a lease without a delivery.
   *
   * @return whether the owner still held it
   */
  public boolean failed(Connection connection, String owner, UUID eventId, Failure failure)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(WRITE_BACK)) {
      update.setString(1, failure.dead ? "dead_letter" : "pending");
      update.setInt(2, failure.counts ? 0 : 1);
      update.setLong(3, failure.pause.toMillis());
      update.setString(4, failure.code);
      update.setString(5, failure.summary);
      update.setObject(6, eventId);
      update.setString(7, owner);
      return update.executeUpdate() == 1;
    }
  }

  /**
   * Takes dead letters of one workspace out again; their records will name the replay. Those whose
   * row has no record form stay.
   *
   * @return how many
   */
  public int redrive(Connection connection, Collection<UUID> eventIds, UUID replayId)
      throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(REDRIVE)) {
      update.setObject(1, replayId);
      update.setArray(2, array(connection, eventIds));
      return update.executeUpdate();
    }
  }

  /**
   * Gives up dead letters of one workspace for good; their rows stay.
   *
   * @return how many
   */
  public int discard(Connection connection, Collection<UUID> eventIds) throws SQLException {
    try (PreparedStatement update = connection.prepareStatement(DISCARD)) {
      update.setArray(1, array(connection, eventIds));
      return update.executeUpdate();
    }
  }

  private static Array array(Connection connection, Collection<UUID> ids) throws SQLException {
    return connection.createArrayOf("uuid", ids.toArray());
  }
}
