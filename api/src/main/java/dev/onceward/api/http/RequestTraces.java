package dev.onceward.api.http;

import dev.onceward.process.Traceparents;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import org.jspecify.annotations.Nullable;

/**
 * One span per request. It continues the trace of the client's {@code traceparent}, and what
 * follows from the request (events, and through them relay and workers) continues it in turn.
 * Thread-safe. Without an exporter nothing is recorded and the client's own trace is passed on.
 */
final class RequestTraces {
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
    return tracer
        .spanBuilder(method + " " + route)
        .setSpanKind(SpanKind.SERVER)
        .setParent(Traceparents.parent(traceparent))
        .setAttribute("http.request.method", method)
        .setAttribute("http.route", route)
        .startSpan();
  }

  /** The same ids with the span as what events continue; unchanged when none was begun here. */
  static RequestIds within(Span span, RequestIds ids) {
    return Traceparents.of(span)
        .map(own -> new RequestIds(ids.requestId(), ids.correlationId(), own))
        .orElse(ids);
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
}
