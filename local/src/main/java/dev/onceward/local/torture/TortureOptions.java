package dev.onceward.local.torture;

import java.time.Duration;

/**
 * How a pipeline is tortured. Immutable.
 *
 * @param seed decides what is written and which faults come in which order
 * @param duration how long faults are injected and writers write; the check comes on top
 * @param sqlWriters who write straight to the database
 * @param apiWriters who send requests
 * @param restLimit how long the pipeline may take to come to rest once all faults are over
 * @param healthBound how soon an outage must be reported
 */
public record TortureOptions(
    long seed,
    Duration duration,
    int sqlWriters,
    int apiWriters,
    Duration restLimit,
    Duration healthBound) {

  private static final int WRITERS = 3;

  /** Generous: it tells a pipeline that hangs from one that is slow. */
  private static final Duration REST_LIMIT = Duration.ofMinutes(4);

  /** The design's ten seconds, and what a busy machine and our asking may add. */
  private static final Duration HEALTH_BOUND = Duration.ofSeconds(12);

  /** The usual torture. */
  public static TortureOptions of(long seed, Duration duration) {
    return new TortureOptions(seed, duration, WRITERS, WRITERS, REST_LIMIT, HEALTH_BOUND);
  }
}
