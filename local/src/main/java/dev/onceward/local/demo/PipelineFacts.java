package dev.onceward.local.demo;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads the facts of the demonstration, as the operator's role. Confined to one thread. */
final class PipelineFacts {

  // Needs track_commit_timestamp, which the local cluster sets.
  private static final String TIMES =
      """
      SELECT o.event_id, pg_xact_commit_timestamp(e.xid::xid), o.state, o.updated_at
      FROM onceward.operations o JOIN onceward.outbox_events e ON e.id = o.event_id
      WHERE o.id = ?
      """;

  private static final String OPERATIONS =
      """
      SELECT count(*) FROM onceward.operations o JOIN onceward.stores s ON s.id::text = o.subject_id
      WHERE s.external_id = ?
      """;

  private static final String EVENTS =
      """
      SELECT count(*) FROM onceward.outbox_events e JOIN onceward.stores s ON s.id::text = e.resource_id
      WHERE s.external_id = ?
      """;

  private final Connection connection;

  PipelineFacts(Connection connection) {
    this.connection = connection;
  }

  @Nullable OperationTimes times(UUID operationId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(TIMES)) {
      statement.setObject(1, operationId);
      try (ResultSet row = statement.executeQuery()) {
        if (!row.next()) {
          return null;
        }
        Timestamp committed = row.getTimestamp(2);
        return new OperationTimes(
            row.getObject(1, UUID.class),
            committed == null ? null : committed.toInstant(),
            row.getString(3),
            row.getTimestamp(4).toInstant());
      }
    }
  }

  /** Operations whose subject is the store of this external id. */
  long operations(String externalId) throws SQLException {
    return count(OPERATIONS, externalId);
  }

  /** Outbox events about the store of this external id. */
  long events(String externalId) throws SQLException {
    return count(EVENTS, externalId);
  }

  private long count(String sql, String externalId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, externalId);
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        return row.getLong(1);
      }
    }
  }
}
