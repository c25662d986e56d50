package dev.onceward.ops.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * One line of a list. Immutable.
 *
 * @param id the event
 * @param occurredAt the time in its id
 * @param workspaceId whose it is
 * @param eventType what happened
 * @param aggregateType kind of the thing whose events keep their order
 * @param aggregateId which one
 * @param status how far the event is
 * @param operationId the operation that it asks for; null if none
 * @param operationState how far that is; null if none
 */
public record ListedEvent(
    UUID id,
    Instant occurredAt,
    UUID workspaceId,
    String eventType,
    String aggregateType,
    String aggregateId,
    String status,
    @Nullable UUID operationId,
    @Nullable String operationState) {}
