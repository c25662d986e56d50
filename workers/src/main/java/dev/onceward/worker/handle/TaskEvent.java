package dev.onceward.worker.handle;

import dev.onceward.event.Envelope;
import org.jspecify.annotations.Nullable;

/**
 * An event as it came to this worker, from Kafka or from the outbox table. Immutable.
 *
 * @param traceparent W3C trace context of the request that wrote it; null if it gave none
 */
public record TaskEvent(Envelope envelope, @Nullable String traceparent) {}
