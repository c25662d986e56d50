package dev.onceward.db.ai;

import dev.onceward.db.operation.OperationState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code ai_tasks} with the state of its operation. Immutable.
 *
 * @param kind a value of the column's CHECK: {@code text}, {@code category} or {@code image}
 * @param input a JSON object, byte for byte as it was written
 * @param output a JSON object; null until the task is done
 * @param completedAt null until the task is done
 */
public record AiTask(
    UUID id,
    String kind,
    UUID operationId,
    OperationState state,
    String input,
    @Nullable String output,
    @Nullable Instant completedAt,
    Instant createdAt) {}
