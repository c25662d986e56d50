package dev.onceward.worker;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.micrometer.core.instrument.MeterRegistry;

/** The pool of database connections: enough for short transactions, quick to notice an outage. */
final class DatabasePool {

  private static final int MAX_CONNECTIONS = 16;
  private static final long CONNECTION_TIMEOUT_MILLIS = 3_000;
  private static final long VALIDATION_TIMEOUT_MILLIS = 2_000;

  /** A server that stands still must not hold a lease's renewal for longer than the lease. */
  private static final String SOCKET_TIMEOUT_SECONDS = "6";

  private static final String CONNECT_TIMEOUT_SECONDS = "3";

  private DatabasePool() {}

  /** Opens the pool; the database need not be there yet. */
  static HikariDataSource open(WorkerConfig config, MeterRegistry metrics) {
    HikariConfig pool = new HikariConfig();
    pool.setPoolName("workers");
    pool.setMetricRegistry(metrics);
    pool.setJdbcUrl(config.jdbcUrl());
    pool.setUsername(config.user());
    pool.setPassword(config.password().reveal());
    // Claims, finishes and renewals are short: fewer connections than tasks are enough.
    pool.setMaximumPoolSize(Math.min(config.concurrency() + 2, MAX_CONNECTIONS));
    pool.setTransactionIsolation("TRANSACTION_READ_COMMITTED");
    pool.setConnectionTimeout(CONNECTION_TIMEOUT_MILLIS);
    pool.setValidationTimeout(VALIDATION_TIMEOUT_MILLIS);
    pool.setInitializationFailTimeout(-1);
    pool.addDataSourceProperty("ApplicationName", "onceward-workers");
    pool.addDataSourceProperty("connectTimeout", CONNECT_TIMEOUT_SECONDS);
    pool.addDataSourceProperty("socketTimeout", SOCKET_TIMEOUT_SECONDS);
    pool.addDataSourceProperty("tcpKeepAlive", "true");
    // The server's detail quotes the row that it refuses; no payload may get into the log.
    pool.addDataSourceProperty("logServerErrorDetail", "false");
    return new HikariDataSource(pool);
  }
}
