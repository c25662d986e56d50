package dev.onceward.api.http;

import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import org.jspecify.annotations.Nullable;

/**
 * One span per request. It continues the trace of the client's {@code traceparent}, and what
 * follows from the request (events, and through them relay and workers) continues it in turn.
 * Thread-safe. Without an exporter nothing is recorded and the client's own trace is passed on.
 */
final class RequestTraces {
  private static final int TRACE_ID_AT = 3;
  private static final int SPAN_ID_AT = 36;
  private static final int FLAGS_AT = 53;
  private final Tracer tracer;

  RequestTraces(Tracer tracer) {
    this.tracer = tracer;
  }

  /**
   * Begins the span of a request.
   *
   * @param traceparent valid, or null for a trace of its own
   */
  Span begin(String method, String route, @Nullable String traceparent) {
    Context parent = Context.root();
    if (traceparent != null) {
      parent = parent.with(Span.wrap(contextOf(traceparent)));
    }
    return tracer
        .spanBuilder(method + " " + route)
        .setSpanKind(SpanKind.SERVER)
        .setParent(parent)
        .setAttribute("http.request.method", method)
        .setAttribute("http.route", route)
        .startSpan();
  }

  /** The same ids with the span as what events continue; unchanged when none was begun here. */
  static RequestIds within(Span span, RequestIds ids) {
    SpanContext context = span.getSpanContext();
    if (!context.isValid() || context.isRemote()) {
      return ids;
    }
    String traceparent =
        "00-"
            + context.getTraceId()
            + "-"
            + context.getSpanId()
            + "-"
            + context.getTraceFlags().asHex();
    return new RequestIds(ids.requestId(), ids.correlationId(), traceparent);
  }

  /** Ends the span with what was answered. */
  static void end(Span span, RequestIds ids, int status) {
    span.setAttribute("http.response.status_code", status);
    span.setAttribute("onceward.request_id", ids.requestId());
    span.setAttribute("onceward.correlation_id", ids.correlationId());
    if (status >= 500) {
      span.setStatus(StatusCode.ERROR);
    }
    span.end();
  }

  private static SpanContext contextOf(String traceparent) {
    return SpanContext.createFromRemoteParent(
        traceparent.substring(TRACE_ID_AT, SPAN_ID_AT - 1),
        traceparent.substring(SPAN_ID_AT, FLAGS_AT - 1),
        TraceFlags.fromHex(traceparent, FLAGS_AT),
        TraceState.getDefault());
  }
}
