package dev.onceward.relay.slot;

import dev.onceward.process.Secret;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Properties;
import java.util.concurrent.Executor;

/**
 * One connection beside the replication stream, in autocommit. Every answer comes within {@link
 * #PATIENCE} or the session is broken; once broken it stays so. Confined to one thread, except
 * {@link #callUnchecked} and {@link #close}.
 */
public final class RelaySession implements AutoCloseable {
  /** How long the server may take for an ordinary answer. */
  public static final Duration PATIENCE = Duration.ofSeconds(5);

  private static final Executor SAME_THREAD = Runnable::run;

  private final Connection connection;
  private volatile boolean idleTimedOut;

  private RelaySession(Connection connection) {
    this.connection = connection;
  }

  /**
   * Opens a session.
   *
   * @throws NotPreparedException if the server refuses this login, whenever it is tried
   * @throws SQLException if the server is away or busy
   */
  public static RelaySession open(String jdbcUrl, String user, Secret password)
      throws SQLException, NotPreparedException {
    String seconds = Long.toString(PATIENCE.toSeconds());
    Properties properties = new Properties();
    properties.setProperty("user", user);
    properties.setProperty("password", password.reveal());
    properties.setProperty("ApplicationName", "onceward-relay");
    properties.setProperty("connectTimeout", seconds);
    properties.setProperty("loginTimeout", seconds);
    properties.setProperty("socketTimeout", seconds);
    properties.setProperty("tcpKeepAlive", "true");
    // The server's detail quotes the row that it refuses; no payload may get into the log.
    properties.setProperty("logServerErrorDetail", "false");
    try {
      return new RelaySession(DriverManager.getConnection(jdbcUrl, properties));
    } catch (SQLException e) {
      NotPreparedException refused = DatabaseFailures.wrongLogin(e, user, withoutOptions(jdbcUrl));
      if (refused != null) {
        throw refused;
      }
      throw e;
    }
  }

  /** Options of a URL can hold passwords. */
  private static String withoutOptions(String jdbcUrl) {
    int options = jdbcUrl.indexOf('?');
    return options < 0 ? jdbcUrl : jdbcUrl.substring(0, options);
  }

  Connection connection() {
    return connection;
  }

  /** Work on the session's connection. */
  @FunctionalInterface
  public interface Work {
    void run(Connection connection) throws SQLException;
  }

  /** A question whose answer can show that the database is not prepared. */
  @FunctionalInterface
  public interface PreparedQuestion<T> {
    T ask(Connection connection) throws SQLException, NotPreparedException;
  }

  /** Asks something through this session. */
  public <T> T ask(PreparedQuestion<T> question) throws SQLException, NotPreparedException {
    try {
      return question.ask(connection);
    } catch (SQLException e) {
      note(e);
      throw e;
    }
  }

  /** A question to the session's connection. */
  @FunctionalInterface
  public interface Question<T> {
    T ask(Connection connection) throws SQLException;
  }

  /** Does something through this session. */
  public void run(Work work) throws SQLException {
    try {
      work.run(connection);
    } catch (SQLException e) {
      note(e);
      throw e;
    }
  }

  /**
   * Asks something through this session, from any thread: the driver lets statements take turns.
   *
   * @throws SessionBrokenException if the database does not answer
   */
  public <T> T callUnchecked(Question<T> question) {
    try {
      return question.ask(connection);
    } catch (SQLException e) {
      note(e);
      throw new SessionBrokenException(e);
    }
  }

  /** Takes note of why a statement of this session has failed. */
  public void note(SQLException failure) {
    if (DatabaseFailures.IDLE_SESSION_TIMEOUT.equals(failure.getSQLState())) {
      idleTimedOut = true;
    }
  }

  /**
   * Whether the server has ended this session because it was silent for too long. Asks it, unless
   * an earlier answer has said so.
   */
  public boolean endedByIdleTimeout() {
    if (!idleTimedOut) {
      try (Statement probe = connection.createStatement()) {
        probe.execute("SELECT 1");
      } catch (SQLException e) {
        note(e);
      }
    }
    return idleTimedOut;
  }

  /** Work within a transaction. */
  @FunctionalInterface
  public interface TransactionWork {
    void run(Connection connection) throws SQLException, InterruptedException;
  }

  /** Reads through this session in one transaction, so that long results come in portions. */
  public void inTransaction(TransactionWork work) throws SQLException, InterruptedException {
    connection.setAutoCommit(false);
    work.run(connection);
    connection.commit();
    connection.setAutoCommit(true);
  }

  /** A log position in PostgreSQL's text form. */
  public static String lsn(long position) {
    return "%X/%X".formatted(position >>> 32, position & 0xFFFF_FFFFL);
  }

  /** Lets one answer take longer than usual; undone by {@link #usualPatience}. */
  public void patience(Duration patience) throws SQLException {
    connection.setNetworkTimeout(SAME_THREAD, Math.toIntExact(patience.toMillis()));
  }

  void usualPatience() throws SQLException {
    patience(PATIENCE);
  }

  /** Ends the session at once, even while another thread waits for an answer. Idempotent. */
  @Override
  public void close() {
    try {
      connection.abort(SAME_THREAD);
    } catch (SQLException e) {
      // It is gone, which is what was asked for.
      return;
    }
  }
}
