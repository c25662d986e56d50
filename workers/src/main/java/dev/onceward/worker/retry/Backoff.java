package dev.onceward.worker.retry;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * How long to wait before the next attempt: doubled each time up to a cap, spread by a share to
 * either side so that tasks that failed together do not come back together. Immutable.
 *
 * @param first the wait after the first attempt; more than zero
 * @param cap the longest wait, before the spread
 * @param jitter from 0 (none) to 1
 */
public record Backoff(Duration first, Duration cap, double jitter) {

  /** Checks the ranges. */
  public Backoff {
    if (first.isNegative() || first.isZero() || cap.compareTo(first) < 0) {
      throw new IllegalArgumentException(
          "back-off must grow from more than zero up to its cap: %s, %s".formatted(first, cap));
    }
    if (!(jitter >= 0 && jitter <= 1)) {
      throw new IllegalArgumentException("jitter is a share from 0 to 1: " + jitter);
    }
  }

  /**
   * The wait after an attempt.
   *
   * @param attempt the number of attempts made, from 1
   */
  public Duration after(int attempt, RandomGenerator random) {
    if (attempt < 1) {
      throw new IllegalArgumentException("attempts are counted from 1: " + attempt);
    }
    // In floating point a large attempt is only infinitely long, never negative.
    double millis =
        Math.min((double) first.toMillis() * Math.pow(2, attempt - 1.0), (double) cap.toMillis());
    double spread = 1 + jitter * (2 * random.nextDouble() - 1);
    return Duration.ofMillis(Math.round(millis * spread));
  }
}
