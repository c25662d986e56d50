package dev.onceward.db.flow;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code todos}. Immutable.
 *
 * @param flow the name of its run's flow
 * @param decision not null exactly when it is resolved
 * @param comment of whoever resolved it, or null
 * @param receiptId the receipt under which it was resolved, or null
 * @param operationId the operation that resolving it asked for; null while it waits
 * @param resolvedAt null while it waits
 */
public record Todo(
    UUID id,
    UUID runId,
    String flow,
    String name,
    boolean resolved,
    @Nullable String decision,
    @Nullable String comment,
    @Nullable UUID receiptId,
    @Nullable UUID operationId,
    Instant createdAt,
    @Nullable Instant resolvedAt) {}
