package dev.onceward.worker.handle;

import org.jspecify.annotations.Nullable;

/**
 * One event type that a handler is for. Immutable.
 *
 * @param eventType never empty, such as {@code store.credentials_submitted}
 * @param newestPayloadVersion the newest version that the handler reads; it reads all older ones,
 *     and newer ones become dead letters
 * @param aggregateType decides the topic that is subscribed to
 * @param operationKind the kind of operation that such an event asks for; null for a notice
 */
public record HandledType(
    String eventType,
    int newestPayloadVersion,
    String aggregateType,
    @Nullable String operationKind) {

  /**
   * An event that tells something to others and asks for no work here. It is registered so that it
   * counts as known: its records are acknowledged, whatever their payload version.
   */
  public static HandledType notice(String eventType, String aggregateType) {
    return new HandledType(eventType, 1, aggregateType, null);
  }
}
