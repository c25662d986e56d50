package dev.onceward.ops.deadletter;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One dead letter, without its content. Immutable.
 *
 * @param kind where it lies
 * @param id the event's or the operation's id, or {@code topic/partition/topic offset}
 * @param state {@code parked} (the relay still tries it), {@code dead_letter}, {@code failed},
 *     {@code dead}, {@code discarded}, or "redriven" where a record is shown by its place
 * @param workspaceId null where a record does not say whose it is
 * @param eventId null where a record's key is no event id
 * @param operationId of an operation, else null
 * @param eventType null where nobody knows it any more
 * @param code why, as a stable code
 * @param summary why, for a person, or null
 * @param attempts how often it was tried since it was last redriven
 * @param redrives how often an operator has redriven it
 * @param at when it was parked or set aside, or when it failed
 * @param place of a record, else null
 */
record DeadLetter(
    DeadLetterKind kind,
    String id,
    String state,
    @Nullable UUID workspaceId,
    @Nullable UUID eventId,
    @Nullable UUID operationId,
    @Nullable String eventType,
    String code,
    @Nullable String summary,
    int attempts,
    int redrives,
    Instant at,
    @Nullable RecordPlace place) {

  static final String PARKED = "parked";
  static final String DEAD_LETTER = "dead_letter";
  static final String DISCARDED = "discarded";
  static final String REDRIVEN = "redriven";

  /** Whether an operator may redrive or discard it. */
  boolean isOpen() {
    return !state.equals(PARKED) && !state.equals(DISCARDED) && !state.equals(REDRIVEN);
  }

  /** What it has in common with others. */
  Cause cause() {
    return Cause.of(eventType, code, summary);
  }
}
