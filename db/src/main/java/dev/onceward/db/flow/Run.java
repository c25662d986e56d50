package dev.onceward.db.flow;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code runs}. Immutable.
 *
 * @param flow the flow's name
 * @param outcome not null exactly when it has ended
 * @param input a JSON object
 * @param receiptId the receipt under which it was started; null if there was none
 * @param operationId the operation that its start asked for
 * @param endedAt not null exactly when it has ended
 */
public record Run(
    UUID id,
    String flow,
    RunState state,
    @Nullable String outcome,
    String input,
    @Nullable UUID receiptId,
    UUID operationId,
    Instant createdAt,
    Instant updatedAt,
    @Nullable Instant endedAt) {}
