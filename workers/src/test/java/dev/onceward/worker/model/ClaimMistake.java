package dev.onceward.worker.model;

/**
 * What could have been written instead; {@link ClaimModel} is then to find out what comes of it.
 */
enum ClaimMistake {
  /** The protocol as it is. */
  NONE,
  /** The claim does not ask whether the lease has expired. */
  CLAIM_TAKES_A_HELD_LEASE,
  /** The claim does not ask whether attempts are left. */
  CLAIM_WITHOUT_LIMIT,
  /** The attempt is counted at the end and not at the claim. */
  ATTEMPT_COUNTED_AT_THE_END,
  /** The finish names state and owner. */
  FINISH_WITHOUT_ATTEMPT,
  /** The finish names state and attempt. */
  FINISH_WITHOUT_OWNER,
  /** The finish names state, owner and attempt, but not the event: a retry counts from zero. */
  FINISH_WITHOUT_EVENT,
  /** What the handler has written is committed although the finish found no row. */
  LATE_WRITES_STAY,
  /** What died goes on under another key towards the outside. */
  NEW_KEY_AFTER_DEATH,
  /** Whoever found the attempts used up buries without asking once more. */
  BURIED_UNSEEN,
  /** Expired leases are nobody's. */
  NO_REAPER
}
