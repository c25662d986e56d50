package dev.onceward.worker.handle;

/**
 * One event type that a handler is for. Immutable.
 *
 * @param eventType never empty, such as {@code store.credentials_submitted}
 * @param newestPayloadVersion the newest version that the handler reads; it reads all older ones,
 *     and newer ones become dead letters
 * @param aggregateType decides the topic that is subscribed to
 * @param operationKind the kind of operation that such an event asks for
 */
public record HandledType(
    String eventType, int newestPayloadVersion, String aggregateType, String operationKind) {}
