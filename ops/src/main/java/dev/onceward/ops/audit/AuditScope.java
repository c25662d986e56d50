package dev.onceward.ops.audit;

import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What is compared. Immutable.
 *
 * @param from the first time, by the millisecond inside an event's id
 * @param to the first time behind the range
 * @param workspaceId of this workspace only; null for all
 * @param stuckAfter how long something may be due before it counts as stuck
 * @param clocksApart how much earlier than the event's time its record may be stamped
 * @param listed how many findings of each kind are named; all are counted
 */
record AuditScope(
    Instant from,
    Instant to,
    @Nullable UUID workspaceId,
    Duration stuckAfter,
    Duration clocksApart,
    int listed) {

  /** The lowest id of the range. */
  UUID firstId() {
    return lowestIdAt(from);
  }

  /** The lowest id behind the range. */
  UUID endId() {
    return lowestIdAt(to);
  }

  /** The same range, beginning later. */
  AuditScope since(Instant later) {
    return new AuditScope(later, to, workspaceId, stuckAfter, clocksApart, listed);
  }

  /** RFC 9562 §5.7: the first 48 bits are Unix milliseconds. */
  private static UUID lowestIdAt(Instant time) {
    return new UUID(time.toEpochMilli() << 16, 0);
  }
}
