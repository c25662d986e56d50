package dev.onceward.relay;

import java.time.Duration;

/** Growing pauses between attempts. Confined to one thread. */
final class Backoff {
  private static final Duration FIRST = Duration.ofMillis(500);
  private static final Duration LONGEST = Duration.ofSeconds(5);

  private Duration next = FIRST;

  /** The pause before the next attempt; each is twice the one before, up to five seconds. */
  Duration next() {
    Duration pause = next;
    Duration doubled = next.multipliedBy(2);
    next = doubled.compareTo(LONGEST) > 0 ? LONGEST : doubled;
    return pause;
  }

  /** Begins again with the shortest. */
  void reset() {
    next = FIRST;
  }
}
