package dev.onceward.ops.event;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A request that wrote an event. Immutable.
 *
 * @param keptAs {@code idempotency key}, {@code hook receipt} or {@code api receipt}
 * @param endpoint method and path
 * @param key the client's key
 * @param at when its transaction began; of a receipt, when it was claimed last
 * @param status of the row
 * @param answerStatus the HTTP status that is given again; null where none is stored
 */
public record RequestLife(
    String keptAs,
    String endpoint,
    String key,
    Instant at,
    String status,
    @Nullable Integer answerStatus) {}
