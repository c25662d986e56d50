package dev.onceward.worker.claim;

import dev.onceward.db.operation.Operation;
import dev.onceward.worker.handle.TaskEvent;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One span per attempt. It continues the trace of the request that wrote the event, and what the
 * handler calls continues it in turn. Thread-safe. Without an exporter nothing is recorded, and the
 * request's own trace is passed on.
 */
public final class TaskTraces {

  /** W3C Trace Context, version 00. */
  private static final Pattern TRACEPARENT =
      Pattern.compile("00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})");

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
        .setParent(parent(event.traceparent()))
        .setAttribute("onceward.event_id", event.envelope().eventId().toString())
        .setAttribute("onceward.operation_id", operation.id().toString())
        .setAttribute("onceward.operation_kind", operation.kind())
        .setAttribute("onceward.attempt", operation.attempt())
        .startSpan();
  }

  /** The event with the span as what the handler continues; unchanged if none was begun here. */
  static TaskEvent within(Span span, TaskEvent event) {
    SpanContext context = span.getSpanContext();
    if (!context.isValid() || context.isRemote()) {
      return event;
    }
    String traceparent =
        "00-%s-%s-%s"
            .formatted(context.getTraceId(), context.getSpanId(), context.getTraceFlags().asHex());
    return new TaskEvent(event.envelope(), traceparent);
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

  private static Context parent(@Nullable String traceparent) {
    Matcher parts = TRACEPARENT.matcher(traceparent == null ? "" : traceparent);
    if (!parts.matches()) {
      return Context.root();
    }
    SpanContext remote =
        SpanContext.createFromRemoteParent(
            parts.group(1),
            parts.group(2),
            TraceFlags.fromHex(parts.group(3), 0),
            TraceState.getDefault());
    return remote.isValid() ? Context.root().with(Span.wrap(remote)) : Context.root();
  }
}
