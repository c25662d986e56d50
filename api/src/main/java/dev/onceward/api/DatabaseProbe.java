package dev.onceward.api;

import dev.onceward.db.Database;
import dev.onceward.process.Health;
import dev.onceward.process.HealthCheck;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Knows whether PostgreSQL answers, by asking it again and again on a thread of its own.
 * Thread-safe.
 */
final class DatabaseProbe implements HealthCheck, AutoCloseable {
  /** Between two questions; an absence shows within this and the pool's time-out. */
  static final Duration INTERVAL = Duration.ofSeconds(1);

  /** An answer older than this counts as none: the question itself hangs. */
  private static final Duration STALE = Duration.ofSeconds(8);

  private final Database database;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::loop, "database-probe");
  private volatile Seen seen = new Seen(Health.up(), System.nanoTime());

  private record Seen(Health health, long atNanos) {}

  DatabaseProbe(Database database) {
    this.database = database;
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public String name() {
    return "database";
  }

  @Override
  public Health check() {
    Seen last = seen;
    Duration age = Duration.ofNanos(System.nanoTime() - last.atNanos());
    return age.compareTo(STALE) > 0
        ? Health.down("PostgreSQL has not answered for " + age.toSeconds() + " s")
        : last.health();
  }

  /** Asks once. */
  void runOnce() {
    Health health;
    try {
      database.inTransaction(
          connection -> {
            try (Statement statement = connection.createStatement()) {
              return statement.execute("SELECT 1");
            }
          });
      health = Health.up();
    } catch (SQLException e) {
      health =
          Health.down(
              "PostgreSQL does not answer, or no connection comes free (SQLSTATE "
                  + e.getSQLState()
                  + ")");
    }
    seen = new Seen(health, System.nanoTime());
  }

  private void loop() {
    try {
      do {
        runOnce();
      } while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
  }
}
