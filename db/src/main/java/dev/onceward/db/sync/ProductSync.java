package dev.onceward.db.sync;

import dev.onceward.db.operation.OperationState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code product_syncs} with the state of its operation. Immutable.
 *
 * @param productCount how many products the platform had; null until the sync is done
 * @param completedAt null until the sync is done
 */
public record ProductSync(
    UUID id,
    UUID storeId,
    UUID operationId,
    OperationState state,
    @Nullable Integer productCount,
    @Nullable Instant completedAt,
    Instant createdAt) {}
