package dev.onceward.relay.capture;

import dev.onceward.relay.capture.direct.DirectChangeSource;

/** What reads PostgreSQL's log. Both keep the contract of {@link ChangeSource}. */
public enum CaptureKind {
  /**
   * An embedded Debezium engine. Failure: while the handler waits it notices nothing, not even the
   * end of the database; each of its failures ends it, and it is built anew.
   */
  DEBEZIUM,

  /**
   * PostgreSQL's replication stream read by the relay itself: faster, with less memory, and idle at
   * almost no cost; it needs PostgreSQL 14 or later. Failure: a message that it does not understand
   * ends it rather than being skipped, and it ends there again until the relay is brought up to
   * date.
   */
  DIRECT;

  /** A source of this kind, to be run once. */
  public ChangeSource source(CaptureSettings settings) {
    return switch (this) {
      case DEBEZIUM -> new DebeziumChangeSource(settings);
      case DIRECT -> new DirectChangeSource(settings);
    };
  }
}
