package dev.onceward.api;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.onceward.db.RoleCheck;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Properties;

/** Opens the connections to PostgreSQL after it has checked that they may be used. */
final class DatabasePool {
  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration NETWORK_SLACK = Duration.ofSeconds(5);
  private static final Duration KEEPALIVE = Duration.ofMinutes(2);

  private DatabasePool() {}

  /**
   * @throws SQLException when PostgreSQL cannot be reached or refuses the login
   * @throws dev.onceward.db.UnsafeRoleException for a role that row-level security does not bind
   * @throws dev.onceward.db.SchemaMissingException when the migrations have not run
   */
  static HikariDataSource open(ApiConfig config, MeterRegistry metrics) throws SQLException {
    check(config);
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("api");
    pool.setJdbcUrl(config.databaseUrl());
    pool.setDataSourceProperties(properties(config));
    pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    pool.setMaximumPoolSize(config.poolSize());
    pool.setConnectionTimeout(config.poolTimeout().toMillis());
    pool.setValidationTimeout(Math.min(config.poolTimeout().toMillis(), 5_000));
    pool.setKeepaliveTime(KEEPALIVE.toMillis());
    // The check above was the first connection; from here on an absence is lived through.
    pool.setInitializationFailTimeout(-1);
    pool.setMetricRegistry(metrics);
    return new HikariDataSource(pool);
  }

  private static void check(ApiConfig config) throws SQLException {
    try (Connection connection =
        DriverManager.getConnection(config.databaseUrl(), properties(config))) {
      RoleCheck.requireBoundByRowLevelSecurity(connection);
    }
  }

  private static Properties properties(ApiConfig config) {
    long statementMillis = config.statementTimeout().toMillis();
    Properties properties = new Properties();
    properties.setProperty("user", config.databaseUser());
    properties.setProperty("password", config.databasePassword().reveal());
    properties.setProperty("ApplicationName", "onceward-api");
    properties.setProperty("connectTimeout", Long.toString(CONNECT_TIMEOUT.toSeconds()));
    // A server that has vanished without a word ends the wait a little after it should have spoken.
    properties.setProperty(
        "socketTimeout", Long.toString(config.statementTimeout().plus(NETWORK_SLACK).toSeconds()));
    properties.setProperty("tcpKeepAlive", "true");
    // The server's detail quotes the row that it refuses; no payload may get into the log.
    properties.setProperty("logServerErrorDetail", "false");
    // A transaction whose API process hangs must not hold its locks for long either.
    properties.setProperty(
        "options",
        "-c statement_timeout="
            + statementMillis
            + " -c idle_in_transaction_session_timeout="
            + config.statementTimeout().multipliedBy(3).toMillis());
    return properties;
  }
}
