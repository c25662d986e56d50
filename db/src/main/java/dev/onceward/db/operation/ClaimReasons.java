package dev.onceward.db.operation;

import dev.onceward.db.operation.ClaimResult.Reason;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** Says why nothing was claimed. */
final class ClaimReasons {

  private ClaimReasons() {}

  static Reason of(Connection connection, UUID eventId) throws SQLException {
    return of(connection, List.of(eventId)).getOrDefault(eventId, Reason.NOT_VISIBLE);
  }

  /** The reason for each event; absent where no operation can be seen. */
  static Map<UUID, Reason> of(Connection connection, Collection<UUID> eventIds)
      throws SQLException {
    String sql =
        """
        SELECT e.event_id, o.event_id <> e.event_id AS superseded, o.state, o.attempt >= o.max_attempts AS used_up,
          o.lease_expires_at <= now() AS expired
        FROM onceward.operation_events e
        JOIN onceward.operations o ON o.workspace_id = e.workspace_id AND o.id = e.operation_id
        WHERE e.event_id = ANY (?)
        """;
    Map<UUID, Reason> reasons = new HashMap<>();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("uuid", eventIds.toArray()));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          reasons.put(row.getObject("event_id", UUID.class), read(row));
        }
      }
    }
    return reasons;
  }

  private static Reason read(ResultSet row) throws SQLException {
    OperationState state = OperationState.ofLabel(row.getString("state"));
    if (row.getBoolean("superseded")) {
      return Reason.SUPERSEDED;
    }
    if (state.isFinal()) {
      return Reason.FINAL;
    }
    if (state == OperationState.RUNNING && row.getBoolean("expired")) {
      return row.getBoolean("used_up") ? Reason.ATTEMPTS_USED_UP : Reason.LEASE_EXPIRED;
    }
    return switch (state) {
      case QUEUED -> Reason.QUEUED;
      case RUNNING -> Reason.RUNNING_ELSEWHERE;
      default -> Reason.NOT_DUE;
    };
  }
}
