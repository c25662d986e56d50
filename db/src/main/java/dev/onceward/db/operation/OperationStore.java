package dev.onceward.db.operation;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Reads operations. Stateless. */
public final class OperationStore {

  private OperationStore() {}

  /** The operation, or empty if the transaction's workspace has none of that id. */
  public static Optional<Operation> find(Connection connection, UUID operationId)
      throws SQLException {
    String sql = "SELECT " + OperationRows.COLUMNS + " FROM onceward.operations o WHERE o.id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, operationId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(OperationRows.read(row)) : Optional.empty();
      }
    }
  }

  /** Those of the operations that the transaction's workspace has, by id. */
  public static Map<UUID, Operation> find(Connection connection, Set<UUID> operationIds)
      throws SQLException {
    String sql =
        "SELECT " + OperationRows.COLUMNS + " FROM onceward.operations o WHERE o.id = ANY (?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("uuid", operationIds.toArray()));
      Map<UUID, Operation> found = new HashMap<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          Operation operation = OperationRows.read(row);
          found.put(operation.id(), operation);
        }
      }
      return found;
    }
  }

  /**
   * A page of the workspace's operations, newest first.
   *
   * @param state only those in this state, or null
   * @param kind only those of this kind, or null
   * @param after the last id of the page before, or null for the first page
   * @param limit at most so many
   */
  public static List<Operation> list(
      Connection connection,
      @Nullable OperationState state,
      @Nullable String kind,
      @Nullable UUID after,
      int limit)
      throws SQLException {
    String sql =
        "SELECT "
            + OperationRows.COLUMNS
            + """
               FROM onceward.operations o
              -- named, so that the index on (workspace_id, id) serves the page
              WHERE o.workspace_id = onceward.current_workspace()
                AND (?::text IS NULL OR o.state = ?) AND (?::text IS NULL OR o.kind = ?)
                AND (?::uuid IS NULL OR o.id < ?)
              ORDER BY o.id DESC LIMIT ?
              """;
    String stateLabel = state == null ? null : state.label();
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, stateLabel);
      statement.setString(2, stateLabel);
      statement.setString(3, kind);
      statement.setString(4, kind);
      statement.setObject(5, after, java.sql.Types.OTHER);
      statement.setObject(6, after, java.sql.Types.OTHER);
      statement.setInt(7, limit);
      List<Operation> operations = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          operations.add(OperationRows.read(row));
        }
      }
      return operations;
    }
  }

  /**
   * Operations of any workspace that are due without Kafka: waits that are over, expired leases,
   * and queued ones whose event was delivered a while ago. Needs no workspace; ids only, and each
   * is then claimed under its own.
   *
   * @param kinds only operations of these kinds
   * @param atMost so many of each sort
   */
  public static List<DueOperation> due(Connection connection, List<String> kinds, int atMost)
      throws SQLException {
    String sql = "SELECT workspace_id, operation_id, event_id FROM onceward.due_operations(?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setArray(1, connection.createArrayOf("text", kinds.toArray()));
      statement.setInt(2, atMost);
      List<DueOperation> due = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          due.add(
              new DueOperation(
                  row.getObject(1, UUID.class),
                  row.getObject(2, UUID.class),
                  row.getObject(3, UUID.class)));
        }
      }
      return due;
    }
  }
}
