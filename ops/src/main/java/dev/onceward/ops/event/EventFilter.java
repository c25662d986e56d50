package dev.onceward.ops.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which events are listed; all that is named must hold. Immutable.
 *
 * @param from no event before it, by the time in its id
 * @param to no event at it or after it
 * @param workspaceId of that workspace only
 * @param eventType of that type only
 * @param aggregateType of that aggregate type only
 * @param aggregateId of that aggregate only; never without its type
 * @param status in that status only
 * @param after only events older than this one: the last of the page before
 * @param limit at most so many
 */
public record EventFilter(
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable UUID workspaceId,
    @Nullable String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable EventStatus status,
    @Nullable UUID after,
    int limit) {}
