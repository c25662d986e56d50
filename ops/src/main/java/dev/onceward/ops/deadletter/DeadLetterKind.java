package dev.onceward.ops.deadletter;

import java.util.Locale;

/** Where a dead letter lies. */
public enum DeadLetterKind {
  /** An event that the relay could not send, in {@code parked_events}. */
  PARKED,
  /** An operation that failed, or died of its attempts. */
  OPERATION,
  /** A record that a consumer set aside, in a dead-letter topic. */
  RECORD;

  /** The name in the database and on the screen. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
