package dev.onceward.db.outbox;

import dev.onceward.db.UuidV7;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An event to be appended. Immutable; the {@code with…} methods return changed copies.
 *
 * @param id version 7; its time is the event's time
 * @param eventType for example {@code store.credentials_submitted}; lower case, dots between words,
 *     at most 120 characters
 * @param payloadVersion of the payload's schema, from 1
 * @param aggregateType decides the topic; lower case, no dots
 * @param aggregateId events of one aggregate keep their order
 * @param resourceType what the event is about; the aggregate's type if nothing else
 * @param resourceId what the event is about; the aggregate's id if nothing else
 * @param businessKey a name for people, or null
 * @param requestId of the HTTP request behind it, or null
 * @param correlationId joins what belongs together across services, or null
 * @param traceparent W3C Trace Context, or null
 * @param payload a JSON text, kept byte for byte; ids, versions and immutable snapshots only, never
 *     a secret
 */
public record NewEvent(
    UUID id,
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
    String payload) {

  /** An event of payload version 1 about the aggregate itself, with a new id. */
  public static NewEvent of(
      String eventType, String aggregateType, String aggregateId, String payload) {
    return new NewEvent(
        UuidV7.next(),
        eventType,
        1,
        aggregateType,
        aggregateId,
        aggregateType,
        aggregateId,
        null,
        null,
        null,
        null,
        payload);
  }

  /** The same with another payload version. */
  public NewEvent withPayloadVersion(int version) {
    return new NewEvent(
        id,
        eventType,
        version,
        aggregateType,
        aggregateId,
        resourceType,
        resourceId,
        businessKey,
        requestId,
        correlationId,
        traceparent,
        payload);
  }

  /** The same about another resource than the aggregate. */
  public NewEvent withResource(String type, String idOfResource) {
    return new NewEvent(
        id,
        eventType,
        payloadVersion,
        aggregateType,
        aggregateId,
        type,
        idOfResource,
        businessKey,
        requestId,
        correlationId,
        traceparent,
        payload);
  }

  /** The same with a business key. */
  public NewEvent withBusinessKey(@Nullable String key) {
    return new NewEvent(
        id,
        eventType,
        payloadVersion,
        aggregateType,
        aggregateId,
        resourceType,
        resourceId,
        key,
        requestId,
        correlationId,
        traceparent,
        payload);
  }

  /** The same with what it is traced by; each may be null. */
  public NewEvent withTrace(
      @Nullable String request, @Nullable String correlation, @Nullable String parent) {
    return new NewEvent(
        id,
        eventType,
        payloadVersion,
        aggregateType,
        aggregateId,
        resourceType,
        resourceId,
        businessKey,
        request,
        correlation,
        parent,
        payload);
  }
}
