package dev.onceward.event.route;

import dev.onceward.event.Envelope;
import dev.onceward.event.RawJson;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The published columns of one row of {@code outbox_events}, as a writer stored them. Immutable.
 *
 * @param id the event id (UUID version 7; its milliseconds are when the event occurred)
 * @param workspaceId whose event it is
 * @param eventType what happened
 * @param payloadVersion version of the payload's shape, 1 or more
 * @param aggregateType the kind of thing whose events keep their order
 * @param aggregateId which one of that kind
 * @param resourceType the kind of the resource that the event is about
 * @param resourceId which one of that kind
 * @param businessKey the writer's own reference, or null
 * @param requestId id of the request that wrote the event, or null
 * @param correlationId id that joins the requests of one larger act, or null
 * @param traceparent W3C trace context, or null
 * @param payload the writer's JSON, byte for byte
 */
public record OutboxRow(
    UUID id,
    UUID workspaceId,
    String eventType,
    int payloadVersion,
    String aggregateType,
    String aggregateId,
    String resourceType,
    String resourceId,
    @Nullable String businessKey,
    @Nullable String requestId,
    @Nullable String correlationId,
    @Nullable String traceparent,
    RawJson payload) {

  /** The milliseconds since 1970 in the first 48 bits of a version 7 UUID (RFC 9562 §5.7). */
  public Instant occurredAt() {
    return Instant.ofEpochMilli(id.getMostSignificantBits() >>> 16);
  }

  /**
   * The envelope of this row.
   *
   * @throws IllegalArgumentException if the row is one that the table's checks refuse
   */
  public Envelope toEnvelope() {
    return new Envelope(
        id,
        eventType,
        payloadVersion,
        workspaceId,
        aggregateType,
        aggregateId,
        resourceType,
        resourceId,
        businessKey,
        requestId,
        correlationId,
        occurredAt(),
        payload);
  }
}
