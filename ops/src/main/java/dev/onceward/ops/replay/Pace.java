package dev.onceward.ops.replay;

import java.time.Duration;

/** Spreads events evenly over time. Confined to one thread. */
final class Pace {
  private static final int PAGES_PER_SECOND = 4;
  private static final int MOST_PER_PAGE = 500;
  private static final double NANOS_PER_SECOND = 1e9;

  private final int eventsPerSecond;
  private final StopSignal stop;
  private long nextNanos = System.nanoTime();

  Pace(int eventsPerSecond, StopSignal stop) {
    this.eventsPerSecond = eventsPerSecond;
    this.stop = stop;
  }

  /** How many events are sent at once: a quarter of a second's, at most 500. */
  int pageSize() {
    return Math.max(1, Math.min(MOST_PER_PAGE, eventsPerSecond / PAGES_PER_SECOND));
  }

  /**
   * Waits until so many may be sent.
   *
   * @return false if a stop was requested meanwhile
   */
  boolean await(int events) throws InterruptedException {
    long now = System.nanoTime();
    boolean stopped = stop.await(Duration.ofNanos(Math.max(0, nextNanos - now)));
    // What was lost to a slow broker is not made up for: that would be a burst.
    nextNanos =
        Math.max(nextNanos, System.nanoTime())
            + (long) (events * NANOS_PER_SECOND / eventsPerSecond);
    return !stopped;
  }

  /** How long so many take at least. */
  static Duration estimate(long events, int eventsPerSecond) {
    return Duration.ofMillis(Math.round(events * 1000.0 / eventsPerSecond));
  }
}
