package dev.onceward.db.operation;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code operations}. Immutable.
 *
 * @param eventId the newest event of the operation
 * @param effectKey the idempotency key of calls to the outside; null for the event's id
 * @param attempt how often it was claimed
 * @param leaseOwner the claiming worker; not null exactly while running
 * @param leaseExpiresAt not null exactly while running
 * @param nextAttemptAt not null exactly while waiting for a retry
 * @param lastErrorCode of the newest failed attempt, or null
 * @param lastErrorSummary sanitised, or null
 * @param result JSON text of a success, or null
 * @param finishedAt not null exactly in a final state
 */
public record Operation(
    UUID id,
    UUID workspaceId,
    String kind,
    String subjectType,
    String subjectId,
    UUID eventId,
    @Nullable UUID effectKey,
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
    @Nullable Instant finishedAt) {}
