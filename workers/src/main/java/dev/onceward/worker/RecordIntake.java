package dev.onceward.worker;

import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.UndecodableRecordException;
import dev.onceward.worker.claim.TaskProcessor;
import dev.onceward.worker.consume.Delivery;
import dev.onceward.worker.consume.DeliveryFactory;
import dev.onceward.worker.consume.Disposition;
import dev.onceward.worker.deadletter.DeadLetterReason;
import dev.onceward.worker.handle.HandlerRegistry;
import dev.onceward.worker.handle.TaskEvent;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads what a record says and decides who deals with it: a handler, or the dead-letter topic. The
 * value is authoritative; headers are for others. Immutable and thread-safe.
 */
final class RecordIntake implements DeliveryFactory {

  private final HandlerRegistry handlers;
  private final TaskProcessor tasks;
  private final DeadLetters deadLetters;
  private final UnknownTypes unknownTypes;
  private final DeliveryOrder order;
  private final Clock clock;
  private final Duration recent;

  RecordIntake(
      HandlerRegistry handlers,
      TaskProcessor tasks,
      DeadLetters deadLetters,
      UnknownTypes unknownTypes,
      DeliveryOrder order,
      Clock clock,
      Duration recent) {
    this.handlers = handlers;
    this.tasks = tasks;
    this.deadLetters = deadLetters;
    this.unknownTypes = unknownTypes;
    this.order = order;
    this.clock = clock;
    this.recent = recent;
  }

  @Override
  public Delivery open(ConsumerRecord<byte[], byte[]> record) {
    byte[] key = record.key();
    if (key == null) {
      return aside(record, DeadLetterReason.NULL_KEY, "The record has no key.");
    }
    if (record.value() == null) {
      return aside(record, DeadLetterReason.NULL_VALUE, "The record has no value.");
    }
    Envelope envelope;
    try {
      envelope = EnvelopeCodec.decode(record.value());
    } catch (UndecodableRecordException undecodable) {
      return aside(
          record,
          DeadLetterReason.UNDECODABLE,
          undecodable.reason() + ": " + undecodable.getMessage());
    }
    if (!Arrays.equals(key, envelope.eventId().toString().getBytes(StandardCharsets.US_ASCII))) {
      return aside(
          record,
          DeadLetterReason.KEY_IS_NOT_EVENT_ID,
          "The key is not the event id %s.".formatted(envelope.eventId()));
    }
    return open(record, envelope);
  }

  private Delivery open(ConsumerRecord<byte[], byte[]> record, Envelope envelope) {
    HandlerRegistry.Registration registration = handlers.find(envelope.eventType());
    if (registration == null) {
      return unknownTypes == UnknownTypes.IGNORE
          ? always(() -> Disposition.ACKNOWLEDGED)
          : aside(
              record,
              DeadLetterReason.UNKNOWN_EVENT_TYPE,
              "No handler is registered for event type %s.".formatted(envelope.eventType()));
    }
    String kind = registration.type().operationKind();
    if (kind == null) {
      return always(() -> Disposition.ACKNOWLEDGED); // a notice, for others
    }
    int newest = registration.type().newestPayloadVersion();
    if (envelope.payloadVersion() > newest) {
      return aside(
          record,
          DeadLetterReason.NEWER_PAYLOAD_VERSION,
          "Event type %s has payload version %d; the handler reads up to %d."
              .formatted(envelope.eventType(), envelope.payloadVersion(), newest));
    }
    String traceparent = EventHeaders.text(record.headers(), EventHeaders.TRACEPARENT).orElse(null);
    return new TaskDelivery(
        record,
        new TaskEvent(envelope, traceparent),
        registration.handler(),
        kind,
        order == DeliveryOrder.AGGREGATE,
        tasks,
        deadLetters,
        clock,
        recent);
  }

  private Delivery aside(
      ConsumerRecord<byte[], byte[]> record, DeadLetterReason reason, String message) {
    return always(() -> deadLetters.setAside(record, reason, message));
  }

  @FunctionalInterface
  private interface Attempt {
    Disposition make() throws InterruptedException;
  }

  /** A delivery that waits for nobody. */
  private static Delivery always(Attempt attempt) {
    return new Delivery() {
      @Override
      public @Nullable String lane() {
        return null;
      }

      @Override
      public Disposition attempt(Runnable secured) throws InterruptedException {
        return attempt.make();
      }
    };
  }
}
