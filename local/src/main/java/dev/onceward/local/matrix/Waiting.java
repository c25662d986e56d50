package dev.onceward.local.matrix;

import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;

/** Waits for what can only be asked for. Stateless. */
final class Waiting {

  private static final Duration PACE = Duration.ofMillis(5);

  private Waiting() {}

  /** Something to wait for. */
  @FunctionalInterface
  interface Condition {
    boolean holds() throws SQLException, IOException, InterruptedException;
  }

  /** Whether it came to hold within the limit; returns as soon as it does. */
  static boolean until(Duration limit, Condition condition)
      throws SQLException, IOException, InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() - deadline > 0) {
        return false;
      }
      Thread.sleep(PACE.toMillis());
    }
    return true;
  }
}
