package dev.onceward.api.http;

import dev.onceward.api.problem.ProblemCode;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * What the operator sees of each request: one log line with its ids, one timer, and a count of
 * refusals. Never a body, a header's value or a query string. Thread-safe.
 */
final class RequestLog {
  private static final Logger LOG = LoggerFactory.getLogger(RequestLog.class);

  private static final String REFUSED = "onceward.api.refused";

  /** Upper bounds of the latency histogram. */
  private static final Duration[] BUCKETS =
      LongStream.of(2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000)
          .mapToObj(Duration::ofMillis)
          .toArray(Duration[]::new);

  private final MeterRegistry metrics;
  private final AtomicInteger running = new AtomicInteger();

  RequestLog(MeterRegistry metrics) {
    this.metrics = metrics;
    Gauge.builder("onceward.api.requests.running", running, AtomicInteger::get)
        .description("Requests that are being worked on or waited for")
        .register(metrics);
    // From 0 on, so that the first of a kind is seen to rise.
    for (ProblemCode code : ProblemCode.values()) {
      metrics.counter(REFUSED, "code", code.name());
    }
  }

  /** Counts a request until {@link #answered}. */
  void begun() {
    running.incrementAndGet();
  }

  /** Counts a refusal by its code, such as RATE_LIMITED, OVERLOADED or REQUEST_TIMEOUT. */
  void refused(ProblemCode code) {
    metrics.counter(REFUSED, "code", code.name()).increment();
  }

  /**
   * @param route the template, so that ids do not multiply the metric
   * @param failure what was thrown; logged with its trace when it became a 500
   */
  void answered(
      String method,
      String route,
      int status,
      Duration took,
      RequestIds ids,
      @Nullable Caller caller,
      @Nullable Throwable failure) {
    Timer.builder("onceward.api.requests")
        .description("Answered requests")
        .tag("method", method)
        .tag("route", route)
        .tag("status", Integer.toString(status))
        .serviceLevelObjectives(BUCKETS)
        .register(metrics)
        .record(took);
    running.decrementAndGet();
    enter(ids, caller);
    try {
      if (status == 500) {
        LOG.error("{} {} answered {} in {} ms", method, route, status, took.toMillis(), failure);
      } else if (status > 500) {
        // An outage would repeat one trace with every request; its reason is enough.
        LOG.warn(
            "{} {} answered {} in {} ms: {}",
            method,
            route,
            status,
            took.toMillis(),
            reason(failure));
      } else if (failure != null && status < 400) {
        LOG.warn(
            "{} {} answered {}, but the body was broken off after {} ms: {}",
            method,
            route,
            status,
            took.toMillis(),
            reason(failure));
      } else {
        LOG.info("{} {} answered {} in {} ms", method, route, status, took.toMillis());
      }
    } finally {
      leave();
    }
  }

  /** Gives every line that this thread logs the ids of the request. */
  static void enter(RequestIds ids, @Nullable Caller caller) {
    MDC.put("request_id", ids.requestId());
    MDC.put("correlation_id", ids.correlationId());
    if (ids.traceparent() != null) {
      MDC.put("traceparent", ids.traceparent());
    }
    if (caller != null) {
      MDC.put("workspace_id", caller.workspaceId().toString());
    }
  }

  /** Ends {@link #enter}. */
  static void leave() {
    MDC.clear();
  }

  private static String reason(@Nullable Throwable failure) {
    if (failure instanceof SQLException sql) {
      return "SQLSTATE " + sql.getSQLState() + ", " + sql.getMessage();
    }
    return failure == null ? "no reason" : String.valueOf(failure.getMessage());
  }
}
