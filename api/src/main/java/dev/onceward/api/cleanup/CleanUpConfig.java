package dev.onceward.api.cleanup;

import dev.onceward.process.Settings;
import java.time.Duration;

/**
 * How rows whose time is over are deleted. Immutable.
 *
 * @param interval between two passes
 * @param batch rows per transaction
 */
public record CleanUpConfig(Duration interval, int batch) {
  static final Duration DEFAULT_INTERVAL = Duration.ofMinutes(1);
  static final int DEFAULT_BATCH = 500;

  /** Reads the settings; problems are reported with all others. */
  public static CleanUpConfig from(Settings settings) {
    return new CleanUpConfig(
        settings.duration(
            "onceward.api.clean-up-interval",
            DEFAULT_INTERVAL,
            Duration.ofMillis(100),
            Duration.ofDays(1),
            "How often expired answers, receipts finished 30 days ago and uploads not completed for 7"
                + " days are deleted."),
        settings.integer(
            "onceward.api.clean-up-batch",
            DEFAULT_BATCH,
            1,
            10_000,
            "rows",
            "Expired rows deleted in one transaction; of uploads 20 at most."));
  }
}
