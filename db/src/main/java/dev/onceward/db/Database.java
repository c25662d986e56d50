package dev.onceward.db;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import javax.sql.DataSource;

/**
 * Runs work in transactions of a data source. For callers that have no transaction of their own; a
 * backend that has one calls the stores with its connection.
 *
 * <p>The data source must hand out READ COMMITTED connections (PostgreSQL's default; pools should
 * set it explicitly). Thread-safe if the data source is.
 */
public final class Database {

  /** Work inside a transaction. */
  @FunctionalInterface
  public interface Work<T> {
    /**
     * Does the work. It neither commits nor closes the connection.
     *
     * @throws SQLException to have the transaction rolled back; an unchecked exception does the
     *     same
     */
    T run(Connection connection) throws SQLException;
  }

  /** Work inside a transaction that has no result. */
  @FunctionalInterface
  public interface Action {
    /**
     * Does the work. It neither commits nor closes the connection.
     *
     * @throws SQLException to have the transaction rolled back; an unchecked exception does the
     *     same
     */
    void run(Connection connection) throws SQLException;
  }

  private final DataSource dataSource;

  /** A database behind {@code dataSource}. */
  public Database(DataSource dataSource) {
    this.dataSource = dataSource;
  }

  /**
   * Runs {@code work} in one transaction with {@code workspaceId} as its workspace and commits it.
   *
   * @throws SQLException if a statement or the commit fails; the transaction is rolled back
   */
  public <T> T inWorkspace(UUID workspaceId, Work<T> work) throws SQLException {
    return inTransaction(
        connection -> {
          WorkspaceContext.set(connection, workspaceId);
          return work.run(connection);
        });
  }

  /**
   * Runs {@code action} as {@link #inWorkspace} runs work.
   *
   * @throws SQLException if a statement or the commit fails; the transaction is rolled back
   */
  public void runInWorkspace(UUID workspaceId, Action action) throws SQLException {
    inWorkspace(
        workspaceId,
        connection -> {
          action.run(connection);
          return true;
        });
  }

  /**
   * Runs {@code work} in one transaction without a workspace and commits it. Row-level security
   * hides every workspace's rows from it.
   *
   * @throws SQLException if a statement or the commit fails; the transaction is rolled back
   */
  public <T> T inTransaction(Work<T> work) throws SQLException {
    try (Connection connection = dataSource.getConnection()) {
      connection.setAutoCommit(false);
      try {
        T result = work.run(connection);
        connection.commit();
        return result;
      } catch (Throwable failure) {
        try {
          connection.rollback();
        } catch (SQLException rollbackFailure) {
          failure.addSuppressed(rollbackFailure);
        }
        throw failure;
      }
    }
  }
}
