package dev.onceward.worker.claim;

import dev.onceward.db.operation.Operation;
import dev.onceward.process.Traceparents;
import dev.onceward.worker.handle.TaskEvent;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import org.jspecify.annotations.Nullable;

/**
 * One span per attempt. It continues the trace of the request that wrote the event, and what the
 * handler calls continues it in turn. Thread-safe. Without an exporter nothing is recorded, and the
 * request's own trace is passed on.
 */
public final class TaskTraces {

  private final Tracer tracer;

  /** Records with this tracer. */
  public TaskTraces(Tracer tracer) {
    this.tracer = tracer;
  }

  /** Begins the span of an attempt; a malformed trace of the event is ignored. */
  Span begin(TaskEvent event, Operation operation) {
    return tracer
        .spanBuilder("task " + event.envelope().eventType())
        .setSpanKind(SpanKind.CONSUMER)
        .setParent(Traceparents.parent(event.traceparent()))
        .setAttribute("onceward.event_id", event.envelope().eventId().toString())
        .setAttribute("onceward.operation_id", operation.id().toString())
        .setAttribute("onceward.operation_kind", operation.kind())
        .setAttribute("onceward.attempt", operation.attempt())
        .startSpan();
  }

  /** The event with the span as what the handler continues; unchanged if none was begun here. */
  static TaskEvent within(Span span, TaskEvent event) {
    return Traceparents.of(span).map(own -> new TaskEvent(event.envelope(), own)).orElse(event);
  }

  /**
   * Notes how the attempt ended.
   *
   * @param errorCode null if it was no error
   */
  static void end(Span span, TaskEnd end, @Nullable String errorCode) {
    span.setAttribute("onceward.end", end.label());
    if (errorCode != null) {
      span.setStatus(StatusCode.ERROR, errorCode);
    }
  }
}
