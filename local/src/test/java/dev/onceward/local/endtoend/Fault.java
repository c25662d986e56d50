package dev.onceward.local.endtoend;

import java.time.Instant;

/**
 * One part killed and started again.
 *
 * @param part its name
 * @param killedAt just before the SIGKILL
 * @param backAt when it was ready again
 */
record Fault(String part, Instant killedAt, Instant backAt) {

  /** Whether a moment lies in the outage. */
  boolean covers(Instant moment) {
    return !moment.isBefore(killedAt) && !moment.isAfter(backAt);
  }
}
