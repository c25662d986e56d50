package dev.onceward.ops.event;

import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a worker does, as it stands now. Immutable.
 *
 * @param eventId its newest event; older ones are superseded
 * @param result of a success, as JSON text; null unless asked for
 */
public record OperationLife(
    UUID id,
    String kind,
    String subjectType,
    String subjectId,
    UUID eventId,
    OperationState state,
    int attempt,
    int maxAttempts,
    @Nullable String leaseOwner,
    @Nullable Instant leaseExpiresAt,
    @Nullable Instant nextAttemptAt,
    @Nullable String lastErrorCode,
    @Nullable String lastErrorSummary,
    @Nullable String result,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant finishedAt) {

  static OperationLife of(Operation operation, boolean withResult) {
    return new OperationLife(
        operation.id(),
        operation.kind(),
        operation.subjectType(),
        operation.subjectId(),
        operation.eventId(),
        operation.state(),
        operation.attempt(),
        operation.maxAttempts(),
        operation.leaseOwner(),
        operation.leaseExpiresAt(),
        operation.nextAttemptAt(),
        operation.lastErrorCode(),
        operation.lastErrorSummary(),
        withResult ? operation.result() : null,
        operation.createdAt(),
        operation.updatedAt(),
        operation.finishedAt());
  }
}
