package dev.onceward.api.cleanup;

import dev.onceward.db.Database;
import dev.onceward.db.cleanup.ExpiredRows;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Deletes what has outlived its time, again and again on a thread of its own. Thread-safe. */
public final class ExpiredRowCleaner implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ExpiredRowCleaner.class);

  /** One pass stops after so many batches of a table: other work wants the disk too. */
  private static final int MAX_BATCHES = 200;

  private final Database database;
  private final CleanUpConfig config;
  private final Map<ExpiredRows, Counter> deleted = new EnumMap<>(ExpiredRows.class);
  private final Counter failures;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::loop, "clean-up");

  /** Cleans up in a database, once it is started. */
  public ExpiredRowCleaner(Database database, CleanUpConfig config, MeterRegistry metrics) {
    this.database = database;
    this.config = config;
    for (ExpiredRows rows : ExpiredRows.values()) {
      deleted.put(
          rows,
          Counter.builder("onceward.api.cleanup.deleted")
              .description("Rows deleted because their time was over")
              .tag("table", rows.table())
              .register(metrics));
    }
    failures =
        Counter.builder("onceward.api.cleanup.failures")
            .description("Passes of the clean-up that the database failed")
            .register(metrics);
    thread.setDaemon(true);
  }

  /** Begins. */
  public void start() {
    thread.start();
  }

  /**
   * One pass over all tables.
   *
   * @return how many rows were deleted
   * @throws SQLException when the database fails; what was deleted before stays deleted
   */
  public int runOnce() throws SQLException {
    int total = 0;
    for (ExpiredRows rows : ExpiredRows.values()) {
      total += clean(rows);
    }
    return total;
  }

  private int clean(ExpiredRows rows) throws SQLException {
    int size = Math.min(config.batch(), rows.largestBatch());
    int total = 0;
    for (int batch = 0; batch < MAX_BATCHES && closed.getCount() > 0; batch++) {
      int count = database.inTransaction(connection -> rows.delete(connection, size));
      Counter counter = deleted.get(rows);
      if (counter != null) {
        counter.increment(count);
      }
      total += count;
      if (count < size) {
        break;
      }
    }
    return total;
  }

  private void loop() {
    try {
      while (!closed.await(config.interval().toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          int count = runOnce();
          if (count > 0) {
            LOG.info("{} expired rows deleted", count);
          }
        } catch (SQLException failure) {
          failures.increment();
          LOG.warn(
              "expired rows stay until the next pass in {}: the database failed with SQLSTATE {}",
              config.interval(),
              failure.getSQLState());
        } catch (RuntimeException defect) { // the loop's outermost guard
          failures.increment();
          LOG.error("expired rows stay until the next pass; a defect", defect);
        }
      }
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
