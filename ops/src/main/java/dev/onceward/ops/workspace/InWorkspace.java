package dev.onceward.ops.workspace;

import dev.onceward.db.Database;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.ops.OpsOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** One transaction of a command in one workspace. */
final class InWorkspace {
  private InWorkspace() {}

  /** Commits what the work did, or nothing when it throws. */
  static <T> T write(OpsOptions options, UUID workspaceId, Database.Work<T> work)
      throws SQLException {
    return run(options, OpsOptions.WRITING_ROLE, workspaceId, work);
  }

  static <T> T read(OpsOptions options, UUID workspaceId, Database.Work<T> work)
      throws SQLException {
    return run(options, OpsOptions.READING_ROLE, workspaceId, work);
  }

  private static <T> T run(OpsOptions options, String role, UUID workspaceId, Database.Work<T> work)
      throws SQLException {
    // Closing a connection rolls back what was not committed.
    try (Connection connection = options.connect(options.settings(), role)) {
      connection.setAutoCommit(false);
      WorkspaceContext.set(connection, workspaceId);
      T result = work.run(connection);
      connection.commit();
      return result;
    }
  }
}
