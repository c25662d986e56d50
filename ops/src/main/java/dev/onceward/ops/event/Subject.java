package dev.onceward.ops.event;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an id leads to: an operation with all its events, or an event alone, or a request that wrote
 * neither. Immutable.
 *
 * @param workspaceId whose it is
 * @param operationId null if there is none
 * @param eventId null if there is none, or if the operation was found by another id
 * @param foundAs what the id is, in words
 * @param request the request that was found; null if another id was
 */
public record Subject(
    UUID workspaceId,
    @Nullable UUID operationId,
    @Nullable UUID eventId,
    String foundAs,
    @Nullable RequestLife request) {

  /** Whether both lead to the same life. */
  boolean isSameAs(Subject other) {
    if (operationId != null || other.operationId != null) {
      return operationId != null && operationId.equals(other.operationId);
    }
    return eventId != null && eventId.equals(other.eventId);
  }
}
