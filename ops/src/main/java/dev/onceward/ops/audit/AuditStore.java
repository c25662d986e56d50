package dev.onceward.ops.audit;

import dev.onceward.db.relay.Snapshot;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The outbox as an audit reads it. Each question is a read-only transaction of its own, so that an
 * audit never holds a snapshot while it reads Kafka. Confined to the connection's thread.
 */
final class AuditStore {
  private static final int FETCH_ROWS = 5_000;

  /**
   * cmin numbers the commands of a transaction: rows are never changed, so that it stays. The
   * aggregate counts within its workspace.
   */
  private static final String PORTION =
      """
      SELECT e.id, hashtextextended(e.workspace_id || '/' || e.aggregate_type || '/' || e.aggregate_id, 0) AS aggregate,
        e.xid::text::bigint AS xid, %s AS committed_micros,
        floor(extract(epoch FROM e.created_at) * 1000)::bigint AS started_millis, e.cmin::text::bigint::int AS command,
        coalesce(pg_visible_in_snapshot(e.xid, ?::pg_snapshot), false) AS audited,
        p.status, coalesce(p.parked_at < now() - ? * interval '1 millisecond', false) AS parked_long
      FROM onceward.outbox_events e LEFT JOIN onceward.parked_events p ON p.event_id = e.id
      WHERE e.id >= ? AND e.id < ? AND (?::uuid IS NULL OR e.workspace_id = ?)
      ORDER BY e.id LIMIT ?
      """;

  private static final String COMMITTED =
      "coalesce(floor(extract(epoch FROM pg_xact_commit_timestamp(e.xid::xid)) * 1000000)::bigint, 0)";

  private static final String PRESENT = "SELECT id FROM onceward.outbox_events WHERE id = ANY (?)";

  private static final String DESCRIBE =
      """
      SELECT id, workspace_id, event_type, aggregate_type, aggregate_id FROM onceward.outbox_events
      WHERE id = ANY (?) ORDER BY id
      """;

  private final Connection connection;

  /**
   * Reads over this connection.
   *
   * @param connection stays the caller's; made read-only
   */
  AuditStore(Connection connection) throws SQLException {
    this.connection = connection;
    connection.setReadOnly(true);
    connection.setAutoCommit(false);
  }

  /** A row that is asked about. */
  record Described(
      UUID id, UUID workspaceId, String eventType, String aggregateType, String aggregateId) {}

  /** Whether the server keeps the times of commits. */
  boolean keepsCommitTimes() throws SQLException {
    try (PreparedStatement query =
            connection.prepareStatement("SELECT current_setting('track_commit_timestamp') = 'on'");
        ResultSet row = query.executeQuery()) {
      row.next();
      return row.getBoolean(1);
    } finally {
      connection.commit();
    }
  }

  boolean workspaceExists(UUID workspaceId) throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(
            "SELECT EXISTS (SELECT FROM onceward.workspaces WHERE workspace_id = ?)")) {
      query.setObject(1, workspaceId);
      try (ResultSet row = query.executeQuery()) {
        row.next();
        return row.getBoolean(1);
      }
    } finally {
      connection.commit();
    }
  }

  /**
   * Adds the next rows of the range to a portion.
   *
   * @param firstId where they begin
   * @param audited what the relay has proven; null for nothing
   * @param commitTimes whether to ask for them
   * @param mostRows so many at most
   */
  void read(
      OutboxPortion portion,
      AuditScope scope,
      UUID firstId,
      @Nullable Snapshot audited,
      boolean commitTimes,
      int mostRows)
      throws SQLException {
    try (PreparedStatement query =
        connection.prepareStatement(PORTION.formatted(commitTimes ? COMMITTED : "0::bigint"))) {
      query.setFetchSize(FETCH_ROWS);
      query.setString(1, audited == null ? null : audited.toString());
      query.setLong(2, scope.stuckAfter().toMillis());
      query.setObject(3, firstId);
      query.setObject(4, scope.endId());
      query.setObject(5, scope.workspaceId(), java.sql.Types.OTHER);
      query.setObject(6, scope.workspaceId(), java.sql.Types.OTHER);
      query.setInt(7, mostRows);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          portion.add(
              new OutboxPortion.Row(
                  row.getObject("id", UUID.class),
                  row.getLong("aggregate"),
                  row.getLong("xid"),
                  row.getLong("committed_micros"),
                  row.getLong("started_millis"),
                  row.getInt("command"),
                  marks(row)));
        }
      }
    } finally {
      connection.commit();
    }
  }

  private static int marks(ResultSet row) throws SQLException {
    int marks = row.getBoolean("audited") ? OutboxPortion.AUDITED : 0;
    String parked = row.getString("status");
    if (parked == null) {
      return marks;
    }
    return marks
        | switch (parked) {
          case "pending" ->
              OutboxPortion.PARKED
                  | (row.getBoolean("parked_long") ? OutboxPortion.PARKED_LONG : 0);
          case "dead_letter" -> OutboxPortion.DEAD_LETTER;
          default -> OutboxPortion.DISCARDED;
        };
  }

  /** Those of the ids that have a row now. */
  Set<UUID> present(Collection<UUID> ids) throws SQLException {
    Set<UUID> present = new HashSet<>();
    try (PreparedStatement query = connection.prepareStatement(PRESENT)) {
      query.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          present.add(row.getObject(1, UUID.class));
        }
      }
    } finally {
      connection.commit();
    }
    return present;
  }

  /** What the rows of these ids are about, of those that exist. */
  List<Described> describe(Collection<UUID> ids) throws SQLException {
    List<Described> described = new ArrayList<>(ids.size());
    try (PreparedStatement query = connection.prepareStatement(DESCRIBE)) {
      query.setArray(1, connection.createArrayOf("uuid", ids.toArray()));
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          described.add(
              new Described(
                  row.getObject(1, UUID.class),
                  row.getObject(2, UUID.class),
                  row.getString(3),
                  row.getString(4),
                  row.getString(5)));
        }
      }
    } finally {
      connection.commit();
    }
    return described;
  }
}
