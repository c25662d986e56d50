package dev.onceward.db.ai;

import dev.onceward.db.operation.OperationState;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** AI tasks of the transaction's workspace. Stateless. */
public final class AiTaskStore {

  /** The kind of a task's operation. */
  public static final String OPERATION_KIND = "run_ai_task";

  /** What can be asked for; a CHECK holds the column to the same. */
  public static final Set<String> KINDS = Set.of("text", "category", "image");

  /** The largest input, in bytes of UTF-8. */
  public static final int MAX_INPUT_BYTES = 64 * 1024;

  /** The largest output, in bytes of UTF-8. */
  public static final int MAX_OUTPUT_BYTES = 256 * 1024;

  private static final String SELECT =
      """
      SELECT t.id, t.kind, t.operation_id, o.state, t.input, t.output, t.completed_at, t.created_at
      FROM onceward.ai_tasks t
      JOIN onceward.operations o ON o.workspace_id = t.workspace_id AND o.id = t.operation_id
      """;

  private AiTaskStore() {}

  /**
   * Inserts a task; the operation was written before.
   *
   * @param input a JSON object
   */
  public static void insert(
      Connection connection, UUID taskId, UUID operationId, String kind, String input)
      throws SQLException {
    String sql =
        "INSERT INTO onceward.ai_tasks (id, operation_id, kind, input) VALUES (?, ?, ?, ?::json)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, taskId);
      statement.setObject(2, operationId);
      statement.setString(3, kind);
      statement.setString(4, input);
      statement.executeUpdate();
    }
  }

  /** The task, or empty if the workspace has none of that id. */
  public static Optional<AiTask> find(Connection connection, UUID taskId) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(SELECT + "WHERE t.id = ?")) {
      statement.setObject(1, taskId);
      try (ResultSet row = statement.executeQuery()) {
        return row.next() ? Optional.of(read(row)) : Optional.empty();
      }
    }
  }

  /**
   * A page of tasks, newest first.
   *
   * @param kind only those of this kind, or null
   * @param after the last id of the page before, or null for the first page
   */
  public static List<AiTask> list(
      Connection connection, @Nullable String kind, @Nullable UUID after, int limit)
      throws SQLException {
    String sql =
        SELECT
            + """
              WHERE t.workspace_id = onceward.current_workspace() AND (?::text IS NULL OR t.kind = ?)
                AND (?::uuid IS NULL OR t.id < ?)
              ORDER BY t.id DESC LIMIT ?
              """;
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, kind);
      statement.setString(2, kind);
      statement.setObject(3, after, Types.OTHER);
      statement.setObject(4, after, Types.OTHER);
      statement.setInt(5, limit);
      List<AiTask> page = new ArrayList<>();
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          page.add(read(row));
        }
      }
      return page;
    }
  }

  /**
   * Records what came of it.
   *
   * @param output a JSON object without secrets
   * @return false if the workspace has no such task
   */
  public static boolean recordOutput(Connection connection, UUID taskId, String output)
      throws SQLException {
    String sql = "UPDATE onceward.ai_tasks SET output = ?::json, completed_at = now() WHERE id = ?";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, output);
      statement.setObject(2, taskId);
      return statement.executeUpdate() == 1;
    }
  }

  private static AiTask read(ResultSet row) throws SQLException {
    Timestamp completedAt = row.getTimestamp("completed_at");
    return new AiTask(
        row.getObject("id", UUID.class),
        row.getString("kind"),
        row.getObject("operation_id", UUID.class),
        OperationState.ofLabel(row.getString("state")),
        row.getString("input"),
        row.getString("output"),
        completedAt == null ? null : completedAt.toInstant(),
        row.getTimestamp("created_at").toInstant());
  }
}
