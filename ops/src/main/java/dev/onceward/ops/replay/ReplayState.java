package dev.onceward.ops.replay;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/**
 * Where a replay is. The table's CHECK knows the same three.
 *
 * <p>{@code running → running | stopped | completed}, {@code stopped → running}. A running one
 * whose process is gone is resumed like a stopped one.
 */
enum ReplayState {
  /** A process sends. Failure: it can be killed; then nobody holds the replay's lock. */
  RUNNING,
  /** Interrupted, or Kafka did not answer. It can be resumed. */
  STOPPED,
  /** All chosen events that the outbox still held were acknowledged or refused. Final. */
  COMPLETED;

  private static final Set<ReplayState> RESUMABLE = EnumSet.of(RUNNING, STOPPED);

  boolean isResumable() {
    return RESUMABLE.contains(this);
  }

  /** As the table has it. */
  String text() {
    return name().toLowerCase(Locale.ROOT);
  }

  static ReplayState of(String text) {
    return valueOf(text.toUpperCase(Locale.ROOT));
  }
}
