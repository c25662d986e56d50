package dev.onceward.worker.media;

import java.time.Duration;

/**
 * A moment on the monotonic clock. Immutable.
 *
 * @param atNanos as {@link System#nanoTime} counts
 */
record Deadline(long atNanos, Duration span) {

  /** The moment after that span, from now. */
  static Deadline in(Duration span) {
    return new Deadline(System.nanoTime() + span.toNanos(), span);
  }

  /** What is left; never negative. */
  Duration left() {
    return Duration.ofNanos(Math.max(0, atNanos - System.nanoTime()));
  }

  boolean isPast() {
    return left().isZero();
  }
}
