package dev.onceward.db;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/**
 * The workspace of a transaction: the setting {@code app.workspace_id}, which every row-level
 * security policy reads.
 *
 * <p>It is set for the transaction and never for the session, so that a pooled connection cannot
 * carry one workspace's view into another's request.
 */
public final class WorkspaceContext {

  private WorkspaceContext() {}

  /**
   * Makes {@code workspaceId} the workspace of the connection's transaction, until it ends.
   *
   * @throws IllegalStateException if the connection is in auto-commit mode: the setting would be
   *     gone at once
   * @throws SQLException if the server refuses
   */
  public static void set(Connection connection, UUID workspaceId) throws SQLException {
    if (connection.getAutoCommit()) {
      throw new IllegalStateException(
          "The connection is in auto-commit mode, where a workspace would hold for no statement; call"
              + " setAutoCommit(false) first");
    }
    try (PreparedStatement statement =
        connection.prepareStatement("SELECT set_config('app.workspace_id', ?, true)")) {
      statement.setString(1, workspaceId.toString());
      statement.execute();
    }
  }
}
