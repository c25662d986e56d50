package dev.onceward.ops.slot;

import org.jspecify.annotations.Nullable;

/**
 * A logical replication slot at one moment. Immutable.
 *
 * @param name of the slot
 * @param database that it belongs to
 * @param plugin that decodes for it
 * @param activePid the server process that streams from it; null when none does
 * @param walStatus PostgreSQL's word on the log that it keeps: reserved, extended, unreserved, lost
 * @param lostBecause why PostgreSQL has given it up; null when it has not, or does not say
 * @param retainedBytes log kept for it
 * @param lagBytes log behind what the relay has confirmed
 * @param safeWalBytes how much more log may be written before it is lost; null when there is no
 *     limit
 * @param restartLsn the oldest log that it keeps; null when it keeps none
 * @param confirmedLsn the confirmed position; null before the first
 * @param failover whether a standby keeps a copy of it; null on servers that have no such thing
 */
public record Slot(
    String name,
    String database,
    String plugin,
    @Nullable Integer activePid,
    String walStatus,
    @Nullable String lostBecause,
    long retainedBytes,
    long lagBytes,
    @Nullable Long safeWalBytes,
    @Nullable String restartLsn,
    @Nullable String confirmedLsn,
    @Nullable Boolean failover) {

  /** Whether a relay streams from it now. */
  public boolean isActive() {
    return activePid != null;
  }

  /** Whether PostgreSQL has removed log that it needs. */
  public boolean isLost() {
    return lostBecause != null || walStatus.equals("lost");
  }
}
