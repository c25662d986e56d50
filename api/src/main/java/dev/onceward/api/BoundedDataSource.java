package dev.onceward.api;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.ConnectionBuilder;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.logging.Logger;
import javax.sql.DataSource;

/**
 * A pool before which only so many requests may wait. In an overload the rest is refused at once: a
 * client that is told to come back helps more than one that waits for its turn to time out.
 * Thread-safe.
 */
final class BoundedDataSource implements DataSource {
  private final DataSource pool;
  private final int queue;
  private final AtomicInteger asking = new AtomicInteger();

  /**
   * @param queue how many may wait for a connection
   */
  BoundedDataSource(DataSource pool, int queue) {
    this.pool = pool;
    this.queue = queue;
  }

  /** How many wait now. */
  int waiting() {
    return asking.get();
  }

  /**
   * @throws SQLTransientConnectionException without a cause, as the pool throws it when none comes
   *     free in time
   */
  @Override
  public Connection getConnection() throws SQLException {
    if (asking.incrementAndGet() > queue) {
      asking.decrementAndGet();
      throw new SQLTransientConnectionException(
          queue + " requests wait for a database connection already");
    }
    try {
      return pool.getConnection();
    } finally {
      asking.decrementAndGet();
    }
  }

  @Override
  public Connection getConnection(String user, String password) throws SQLException {
    throw new SQLException("the pool has one login only");
  }

  @Override
  public ConnectionBuilder createConnectionBuilder() throws SQLException {
    return pool.createConnectionBuilder();
  }

  @Override
  public PrintWriter getLogWriter() throws SQLException {
    return pool.getLogWriter();
  }

  @Override
  public void setLogWriter(PrintWriter out) throws SQLException {
    pool.setLogWriter(out);
  }

  @Override
  public void setLoginTimeout(int seconds) throws SQLException {
    pool.setLoginTimeout(seconds);
  }

  @Override
  public int getLoginTimeout() throws SQLException {
    return pool.getLoginTimeout();
  }

  @Override
  public Logger getParentLogger() {
    return Logger.getGlobal();
  }

  @Override
  public <T> T unwrap(Class<T> type) throws SQLException {
    return pool.unwrap(type);
  }

  @Override
  public boolean isWrapperFor(Class<?> type) throws SQLException {
    return pool.isWrapperFor(type);
  }
}
