package dev.onceward.relay.slot;

/**
 * What the server says about the slot at one moment. Immutable.
 *
 * @param activePid the server process that streams from it, or 0
 * @param lost whether the server has thrown away log that the slot still needs
 * @param confirmedLsn the log position up to which everything is confirmed
 * @param retainedBytes the log that the server keeps for the slot
 * @param lagBytes the log behind the confirmed position; what other tables write counts as well
 */
public record SlotStatus(
    int activePid, boolean lost, long confirmedLsn, long retainedBytes, long lagBytes) {

  /** Whether a process streams from it. */
  public boolean active() {
    return activePid != 0;
  }
}
