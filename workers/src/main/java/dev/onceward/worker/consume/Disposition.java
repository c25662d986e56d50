package dev.onceward.worker.consume;

import java.time.Duration;

/** What became of one attempt at a delivery. Immutable. */
public sealed interface Disposition {

  /** The record needs nothing more from this group: its topic offset may be committed. */
  Disposition ACKNOWLEDGED = new Acknowledged();

  /**
   * The record could not be dealt with yet and is offered again.
   *
   * @param delay how long to wait, on no thread; zero or more
   */
  static Disposition again(Duration delay) {
    return new Again(delay);
  }

  /** See {@link #ACKNOWLEDGED}. */
  record Acknowledged() implements Disposition {}

  /**
   * See {@link #again}.
   *
   * @param delay zero or more
   */
  record Again(Duration delay) implements Disposition {
    /** Refuses a negative delay. */
    public Again {
      if (delay.isNegative()) {
        throw new IllegalArgumentException("a delay cannot be negative: " + delay);
      }
    }
  }
}
