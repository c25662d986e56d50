package dev.onceward.db.workspace;

import dev.onceward.db.UuidV7;
import dev.onceward.db.WorkspaceContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.UUID;

/** Workspaces. Stateless. */
public final class WorkspaceStore {

  private WorkspaceStore() {}

  /**
   * Makes a workspace, which becomes the transaction's workspace.
   *
   * @param name for people, 1 to 200 characters
   */
  public static UUID create(Connection connection, String name) throws SQLException {
    UUID workspaceId = UuidV7.next();
    WorkspaceContext.set(connection, workspaceId);
    String sql = "INSERT INTO onceward.workspaces (workspace_id, name) VALUES (?, ?)";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setObject(1, workspaceId);
      statement.setString(2, name);
      statement.executeUpdate();
    }
    return workspaceId;
  }

  /**
   * Holds the transaction's workspace until the transaction ends, so that what must be true of all
   * its users together can be checked.
   */
  public static void lock(Connection connection) throws SQLException {
    String sql =
        "SELECT FROM onceward.workspaces WHERE workspace_id = onceward.current_workspace() FOR NO KEY UPDATE";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.execute();
    }
  }
}
