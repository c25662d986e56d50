package dev.onceward.local.matrix;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;

/** A lock in an open transaction of a superuser. Confined to one thread. */
final class HeldLock implements AutoCloseable {

  private final Connection connection;

  private HeldLock(Connection connection) {
    this.connection = connection;
  }

  /**
   * Takes it.
   *
   * @param connection ends with the lock
   * @param sql takes the lock
   */
  static HeldLock take(Connection connection, String sql, Object... values) throws SQLException {
    boolean taken = false;
    try {
      connection.setAutoCommit(false);
      try (PreparedStatement statement = connection.prepareStatement(sql)) {
        for (int i = 0; i < values.length; i++) {
          statement.setObject(i + 1, values[i]);
        }
        statement.execute();
      }
      taken = true;
      return new HeldLock(connection);
    } finally {
      if (!taken) {
        connection.close();
      }
    }
  }

  /** Lets it go; also when the server has died under it. */
  @Override
  public void close() {
    try {
      connection.abort(Runnable::run);
    } catch (SQLException gone) {
      return; // and the lock with it
    }
  }
}
