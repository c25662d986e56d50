package dev.onceward.relay.slot;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the server says about the slot at one moment. Immutable.
 *
 * @param activePid the server process that streams from it, or 0
 * @param lost whether the server has thrown away log that the slot still needs, or has invalidated
 *     it for another reason
 * @param confirmedLsn the log position up to which everything is confirmed
 * @param retainedBytes the log that the server keeps for the slot
 * @param lagBytes the log behind the confirmed position; what other tables write counts as well
 * @param walStatus {@code reserved}, {@code extended}, {@code unreserved} or {@code lost}
 * @param lostBecause the server's reason for an invalidated slot, where it tells one (16+)
 * @param safeWalBytes how much can still be written before the slot is in danger of being lost;
 *     empty if there is no limit or the slot is lost
 * @param oldestTransaction how long the oldest transaction of any database has been open, as far as
 *     it was seen; it pins the slot's log. Read-only ones have no part in that
 */
public record SlotStatus(
    int activePid,
    boolean lost,
    long confirmedLsn,
    long retainedBytes,
    long lagBytes,
    String walStatus,
    Optional<String> lostBecause,
    OptionalLong safeWalBytes,
    Duration oldestTransaction) {

  /** Whether a process streams from it. */
  public boolean active() {
    return activePid != 0;
  }
}
