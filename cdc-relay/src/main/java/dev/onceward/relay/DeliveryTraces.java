package dev.onceward.relay;

import dev.onceward.process.Traceparents;
import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.publish.Acknowledged;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import java.time.Instant;

/**
 * One span per event that has a trace: from its commit to Kafka's acknowledgement. The record
 * passes on the writer's own trace, so that it stays as it was written: this span is the worker's
 * sibling. Thread-safe; without an exporter nothing is recorded.
 */
final class DeliveryTraces {
  private final Tracer tracer;

  DeliveryTraces(Tracer tracer) {
    this.tracer = tracer;
  }

  /** Kafka has acknowledged an event. */
  void delivered(CapturedEvent event, Acknowledged sent, Instant acknowledgedAt) {
    String traceparent = event.row().traceparent();
    if (traceparent == null) {
      return;
    }
    tracer
        .spanBuilder("deliver " + event.row().eventType())
        .setSpanKind(SpanKind.PRODUCER)
        .setParent(Traceparents.parent(traceparent))
        .setStartTimestamp(event.committedAt())
        .setAttribute("onceward.event_id", sent.eventId().toString())
        .setAttribute("messaging.system", "kafka")
        .setAttribute("messaging.destination.name", sent.partition().topic())
        .setAttribute(
            "messaging.destination.partition.id", Integer.toString(sent.partition().partition()))
        .setAttribute("messaging.kafka.offset", sent.offset())
        .startSpan()
        .end(acknowledgedAt);
  }
}
