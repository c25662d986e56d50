package dev.onceward.ops.audit;

import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Something that is not as it should be. Immutable.
 *
 * @param kind what
 * @param eventId the event; null if there is none
 * @param operationId the operation that hangs; null for events
 * @param workspaceId whose it is; null if nobody knows
 * @param eventType type of the event, or kind of the operation; null if nobody knows
 * @param what in words, without content
 */
record Finding(
    Kind kind,
    @Nullable UUID eventId,
    @Nullable UUID operationId,
    @Nullable UUID workspaceId,
    @Nullable String eventType,
    String what) {

  /** The kinds of findings. */
  enum Kind {
    /** An audited row without a record that Kafka should still hold. */
    MISSING,
    /** A row without a record, older than the first record of its partition. Proves nothing. */
    EXPIRED,
    /** A record without a row, inside the outbox's retention. */
    PHANTOM,
    /** More than one record of an event, replays and repairs apart. */
    DUPLICATE,
    /** A record behind one of the same aggregate that was committed later. */
    OUT_OF_ORDER,
    /** An event that does not leave the outbox, or an operation that is due and not taken up. */
    STUCK;

    /** As it is written in JSON. */
    String key() {
      return name().toLowerCase(Locale.ROOT);
    }

    /** As it is written for people. */
    String label() {
      return key().replace('_', ' ');
    }
  }
}
