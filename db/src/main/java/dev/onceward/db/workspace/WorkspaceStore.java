package dev.onceward.db.workspace;

import dev.onceward.db.UuidV7;
import dev.onceward.db.WorkspaceContext;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;
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

  /** The transaction's workspace. */
  public static Optional<Workspace> find(Connection connection) throws SQLException {
    String sql =
        "SELECT workspace_id, name, created_at, updated_at FROM onceward.workspaces"
            + " WHERE workspace_id = onceward.current_workspace()";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      return read(statement);
    }
  }

  /** Names the transaction's workspace; empty when it does not exist. */
  public static Optional<Workspace> rename(Connection connection, String name) throws SQLException {
    String sql =
        "UPDATE onceward.workspaces SET name = ?, updated_at = now()"
            + " WHERE workspace_id = onceward.current_workspace()"
            + " RETURNING workspace_id, name, created_at, updated_at";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setString(1, name);
      return read(statement);
    }
  }

  private static Optional<Workspace> read(PreparedStatement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery()) {
      return row.next()
          ? Optional.of(
              new Workspace(
                  row.getObject(1, UUID.class),
                  row.getString(2),
                  row.getTimestamp(3).toInstant(),
                  row.getTimestamp(4).toInstant()))
          : Optional.empty();
    }
  }
}
