package dev.onceward.event;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What one record on Kafka says: an event and its payload. Immutable.
 *
 * @param eventId the outbox row's id and the record's key (UUID version 7)
 * @param eventType what happened, such as {@code store.credentials_submitted}; never empty
 * @param payloadVersion version of the payload's shape, 1 or more
 * @param workspaceId whose event it is
 * @param aggregateType the kind of thing whose events keep their order
 * @param aggregateId which one of that kind
 * @param resourceType the kind of the resource that the event is about
 * @param resourceId which one of that kind
 * @param businessKey the writer's own reference, or null
 * @param requestId id of the request that wrote the event, or null
 * @param correlationId id that joins the requests of one larger act, or null
 * @param occurredAt when the event was written, in milliseconds: the time inside {@code eventId}
 * @param payload the writer's JSON, byte for byte
 */
public record Envelope(
    UUID eventId,
    String eventType,
    int payloadVersion,
    UUID workspaceId,
    String aggregateType,
    String aggregateId,
    String resourceType,
    String resourceId,
    @Nullable String businessKey,
    @Nullable String requestId,
    @Nullable String correlationId,
    Instant occurredAt,
    RawJson payload) {

  /**
   * Checks what every reader may rely on.
   *
   * @throws IllegalArgumentException if the type is empty or the version is not positive
   */
  public Envelope {
    if (eventType.isEmpty()) {
      throw new IllegalArgumentException("event_type is empty (event " + eventId + ")");
    }
    if (payloadVersion <= 0) {
      throw new IllegalArgumentException(
          "payload_version is "
              + payloadVersion
              + ", it must be 1 or more (event "
              + eventId
              + ")");
    }
  }
}
