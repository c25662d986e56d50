package dev.onceward.ops.audit;

import dev.onceward.ops.audit.Finding.Kind;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** The operations of the range's events. Confined to the connection's thread. */
final class OperationAudit {
  private static final String RANGE =
      """
      FROM onceward.operations o
      WHERE o.event_id >= ? AND o.event_id < ? AND (?::uuid IS NULL OR o.workspace_id = ?)
      """;

  private static final String STATES = "SELECT o.state, count(*) " + RANGE + " GROUP BY o.state";

  /** Since when it is due; null for what is finished. */
  private static final String DUE =
      """
      CASE o.state WHEN 'waiting_retry' THEN o.next_attempt_at WHEN 'running' THEN o.lease_expires_at
        WHEN 'queued' THEN o.updated_at END
      """;

  private static final String STUCK =
      "SELECT o.id, o.workspace_id, o.kind, o.state, o.event_id, o.attempt, o.max_attempts, o.lease_owner, "
          + "floor(extract(epoch FROM now() - "
          + DUE
          + "))::bigint AS seconds "
          + RANGE
          + " AND "
          + DUE
          + " < now() - ? * interval '1 millisecond' ORDER BY o.event_id";

  private static final int FETCH_ROWS = 1_000;

  private final Connection connection;

  OperationAudit(Connection connection) {
    this.connection = connection;
  }

  /** Counts operations by state and adds those that hang. */
  Map<String, Long> run(AuditScope scope, AuditTally tally) throws SQLException {
    Map<String, Long> states = new TreeMap<>();
    try (PreparedStatement query = connection.prepareStatement(STATES)) {
      bind(query, scope);
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          states.put(row.getString(1), row.getLong(2));
        }
      }
    }
    try (PreparedStatement query = connection.prepareStatement(STUCK)) {
      query.setFetchSize(FETCH_ROWS);
      bind(query, scope);
      query.setLong(5, scope.stuckAfter().toMillis());
      try (ResultSet row = query.executeQuery()) {
        while (row.next()) {
          tally.add(finding(row));
        }
      }
    } finally {
      connection.commit();
    }
    return states;
  }

  private static void bind(PreparedStatement query, AuditScope scope) throws SQLException {
    query.setObject(1, scope.firstId());
    query.setObject(2, scope.endId());
    query.setObject(3, scope.workspaceId(), java.sql.Types.OTHER);
    query.setObject(4, scope.workspaceId(), java.sql.Types.OTHER);
  }

  private static Finding finding(ResultSet row) throws SQLException {
    String state = row.getString("state");
    String since =
        switch (state) {
          case "running" ->
              "the lease of " + row.getString("lease_owner") + " ended %d s ago, nobody took it up";
          case "waiting_retry" -> "its next attempt was due %d s ago, nobody took it up";
          default -> "queued for %d s, nobody took it up";
        };
    return new Finding(
        Kind.STUCK,
        row.getObject("event_id", UUID.class),
        row.getObject("id", UUID.class),
        row.getObject("workspace_id", UUID.class),
        row.getString("kind"),
        state
            + ", attempt "
            + row.getInt("attempt")
            + " of "
            + row.getInt("max_attempts")
            + ": "
            + since.replace("%d", Long.toString(row.getLong("seconds"))));
  }
}
