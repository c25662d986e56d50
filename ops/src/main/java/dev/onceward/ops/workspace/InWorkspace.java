package dev.onceward.ops.workspace;

import dev.onceward.db.Database;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.ops.OpsOptions;
import dev.onceward.ops.change.ChangeOptions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Function;

/** One transaction of a command in one workspace. */
final class InWorkspace {
  private InWorkspace() {}

  /**
   * Commits what the work did together with its record, or nothing for a dry run or when it throws.
   *
   * @param result what came of it, for the record
   */
  static <T> T change(
      OpsOptions options,
      ChangeOptions change,
      UUID workspaceId,
      Database.Work<T> work,
      Function<T, String> result)
      throws SQLException {
    return run(
        options,
        OpsOptions.WRITING_ROLE,
        workspaceId,
        connection -> {
          T done = work.run(connection);
          change.end(connection, result.apply(done));
          return done;
        });
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
      return work.run(connection);
    }
  }
}
