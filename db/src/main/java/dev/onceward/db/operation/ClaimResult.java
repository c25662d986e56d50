package dev.onceward.db.operation;

/** What came of an attempt to claim the operation behind an event. */
public sealed interface ClaimResult {

  /** The caller holds the lease; {@code operation} is the row after the claim. */
  record Claimed(Operation operation) implements ClaimResult {}

  /** Nothing was claimed; {@code reason} says why. */
  record NotClaimed(Reason reason) implements ClaimResult {}

  /** Why nothing was claimed. */
  enum Reason {
    /** The operation has ended. */
    FINAL,
    /** A newer event of the operation exists. */
    SUPERSEDED,
    /** Another worker's lease has not expired. */
    RUNNING_ELSEWHERE,
    /**
     * The lease of an attempt that was not the last has expired: the loop over due tasks has it.
     */
    LEASE_EXPIRED,
    /** It came into the queue, or into sight, after each look for it: claim it again. */
    QUEUED,
    /** The time of the next attempt has not come. */
    NOT_DUE,
    /** The lease of the last attempt has expired: {@link OperationClaims#buryExpired} ends it. */
    ATTEMPTS_USED_UP,
    /**
     * No operation of this event can be seen: there is none, or its transaction is not visible here
     * yet.
     */
    NOT_VISIBLE
  }
}
