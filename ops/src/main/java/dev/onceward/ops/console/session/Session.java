package dev.onceward.ops.console.session;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.onceward.process.Secret;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;

/** One sign-in of one operator. Thread-safe. */
public final class Session implements AutoCloseable {
  private static final int CONNECTIONS = 3;
  private static final Duration CONNECTION_WAIT = Duration.ofSeconds(5);
  private static final Duration CONNECTION_IDLE = Duration.ofMinutes(1);
  private static final Duration CONNECTION_LIFE = Duration.ofMinutes(5);

  private final DatabaseLogin login;
  private final String user;
  private final Secret password;
  private final boolean operator;
  private final String csrfToken = Tokens.random();
  private final HikariDataSource pool;
  private final long begunNanos = System.nanoTime();
  private volatile long usedNanos = begunNanos;

  Session(DatabaseLogin login, String user, Secret password, boolean operator) {
    this.login = login;
    this.user = user;
    this.password = password;
    this.operator = operator;
    HikariConfig config = new HikariConfig();
    config.setPoolName("console-session");
    config.setJdbcUrl(login.url());
    config.setDataSourceProperties(login.properties(user, password));
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(0);
    config.setConnectionTimeout(CONNECTION_WAIT.toMillis());
    config.setIdleTimeout(CONNECTION_IDLE.toMillis());
    config.setMaxLifetime(CONNECTION_LIFE.toMillis());
    // The sign-in was the first connection.
    config.setInitializationFailTimeout(-1);
    this.pool = new HikariDataSource(config);
  }

  /** The login's name: who acts. */
  public String user() {
    return user;
  }

  /** Whether the login may change something; the database decides again each time. */
  public boolean isOperator() {
    return operator;
  }

  /** What each form of this session brings. */
  public String csrfToken() {
    return csrfToken;
  }

  /** A connection of the pool; closing it gives it back. */
  public Connection connection() throws SQLException {
    return pool.getConnection();
  }

  /** A connection of its own, for locks that last as long as it; the caller closes it. */
  public Connection ownConnection() throws SQLException {
    return login.open(user, password);
  }

  void touch() {
    usedNanos = System.nanoTime();
  }

  boolean isOver(Duration idle, Duration life) {
    long now = System.nanoTime();
    return now - usedNanos > idle.toNanos() || now - begunNanos > life.toNanos();
  }

  @Override
  public void close() {
    pool.close();
  }
}
