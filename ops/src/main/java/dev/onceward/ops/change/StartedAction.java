package dev.onceward.ops.change;

import dev.onceward.db.action.ActionState;
import dev.onceward.db.action.NewAction;
import dev.onceward.db.action.OpsActionStore;
import java.sql.Connection;
import java.sql.SQLException;

/**
 * A change outside of PostgreSQL that has been noted as begun. Whoever began it notes its end, on
 * any connection as {@code onceward_ops}: the first may be gone by then. Immutable.
 *
 * @param id of its first row in {@code ops_actions}
 */
public record StartedAction(long id) {

  /**
   * Notes that a change outside of PostgreSQL begins. Commits.
   *
   * @param connection as {@code onceward_ops}, with nothing uncommitted
   */
  public static StartedAction begin(Connection connection, NewAction action) throws SQLException {
    long id = OpsActionStore.started(connection, action);
    commit(connection);
    return new StartedAction(id);
  }

  /** Notes that it was made. Commits. */
  public void succeeded(Connection connection, String result) throws SQLException {
    end(connection, ActionState.SUCCEEDED, result);
  }

  /** Notes that it failed, and how far it came. Commits. */
  public void failed(Connection connection, String result) throws SQLException {
    end(connection, ActionState.FAILED, result);
  }

  /** Notes that the operator stopped it, and how far it came. Commits. */
  public void interrupted(Connection connection, String result) throws SQLException {
    end(connection, ActionState.INTERRUPTED, result);
  }

  private void end(Connection connection, ActionState state, String result) throws SQLException {
    OpsActionStore.ended(connection, id, state, result);
    commit(connection);
  }

  private static void commit(Connection connection) throws SQLException {
    if (!connection.getAutoCommit()) {
      connection.commit();
    }
  }
}
