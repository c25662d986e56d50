package dev.onceward.db.flow;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** To-dos of the transaction's workspace. Stateless. */
public final class TodoStore {

  private static final String SELECT =
      """
      SELECT t.id, t.run_id, r.flow, t.name, t.state, t.decision, t.comment, t.receipt_id, t.operation_id, t.created_at,
        t.resolved_at
      FROM onceward.todos t JOIN onceward.runs r ON r.workspace_id = t.workspace_id AND r.id = t.run_id
      """;

  private TodoStore() {}

  /** Inserts a waiting to-do of a run. */
  public static void insert(Connection connection, UUID todoId, UUID runId, String name)
      throws SQLException {
    String sql = "INSERT INTO onceward.todos (id, run_id, name) VALUES (?, ?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, todoId);
      statement.setObject(2, runId);
      statement.setString(3, name);
      statement.executeUpdate();
    }
  }

  /** The to-do, or empty if the workspace has none of that id. */
  public static Optional<Todo> find(Connection connection, UUID todoId) throws SQLException {
    return one(connection, SELECT + "WHERE t.id = ?", todoId);
  }

  /** The to-do that was resolved under a receipt, or empty. */
  public static Optional<Todo> findByReceipt(Connection connection, UUID receiptId)
      throws SQLException {
    return one(
        connection,
        SELECT + "WHERE t.workspace_id = onceward.current_workspace() AND t.receipt_id = ?",
        receiptId);
  }

  /**
   * A page of to-dos, newest first.
   *
   * @param resolved only those that are, or are not; null for all
   * @param after the last id of the page before, or null for the first page
   */
  public static List<Todo> list(
      Connection connection, @Nullable Boolean resolved, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        SELECT
            + """
              WHERE t.workspace_id = onceward.current_workspace() AND (?::text IS NULL OR t.state = ?)
                AND (?::uuid IS NULL OR t.id < ?)
              ORDER BY t.id DESC LIMIT ?
              """;
    String state = resolved == null ? null : resolved ? "resolved" : "waiting";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, state);
      statement.setString(2, state);
      statement.setObject(3, after, java.sql.Types.OTHER);
      statement.setObject(4, after, java.sql.Types.OTHER);
      statement.setInt(5, limit);
      List<Todo> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  /**
   * Resolves a waiting to-do.
   *
   * @param receiptId the receipt under which it is resolved, or null
   * @param operationId written in the same transaction
   * @return false if it does not wait (any more)
   */
  public static boolean resolve(
      Connection connection,
      UUID todoId,
      String decision,
      @Nullable String comment,
      @Nullable UUID receiptId,
      UUID operationId)
      throws SQLException {
    String sql =
        """
        UPDATE onceward.todos
        SET state = 'resolved', decision = ?, comment = ?, receipt_id = ?, operation_id = ?, resolved_at = now()
        WHERE id = ? AND state = 'waiting'
        """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, decision);
      statement.setString(2, comment);
      statement.setObject(3, receiptId, java.sql.Types.OTHER);
      statement.setObject(4, operationId);
      statement.setObject(5, todoId);
      return statement.executeUpdate() == 1;
    }
  }

  private static Optional<Todo> one(Connection connection, String sql, UUID id)
      throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, id);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  private static Todo read(ResultSet row) throws SQLException {
    Timestamp resolvedAt = row.getTimestamp("resolved_at");
    return new Todo(
        row.getObject("id", UUID.class),
        row.getObject("run_id", UUID.class),
        row.getString("flow"),
        row.getString("name"),
        row.getString("state").equals("resolved"),
        row.getString("decision"),
        row.getString("comment"),
        row.getObject("receipt_id", UUID.class),
        row.getObject("operation_id", UUID.class),
        row.getTimestamp("created_at").toInstant(),
        resolvedAt == null ? null : resolvedAt.toInstant());
  }
}
