package dev.onceward.ops.deadletter;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** A dead letter as JSON. */
public record ListedLetter(
    String kind,
    String id,
    String state,
    @Nullable UUID workspaceId,
    @Nullable UUID eventId,
    @Nullable UUID operationId,
    @Nullable String eventType,
    String code,
    @Nullable String summary,
    String group,
    int attempts,
    int redrives,
    Instant at) {

  static ListedLetter of(DeadLetter letter) {
    return new ListedLetter(
        letter.kind().label(),
        letter.id(),
        letter.state(),
        letter.workspaceId(),
        letter.eventId(),
        letter.operationId(),
        letter.eventType(),
        letter.code(),
        letter.summary(),
        letter.cause().groupId(),
        letter.attempts(),
        letter.redrives(),
        letter.at());
  }
}
