package dev.onceward.api.http;

import dev.onceward.process.HealthChecks;
import dev.onceward.process.HealthReport;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.List;
import java.util.Map;

/** {@code /health/live}, {@code /health/ready} and {@code /metrics}, without access key. */
public final class HealthCalls {
  private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
  private static final Map<String, String> PROMETHEUS =
      Map.of("Content-Type", "text/plain; version=0.0.4; charset=utf-8");

  private HealthCalls() {}

  /** The calls. */
  public static List<Route> routes(HealthChecks checks, PrometheusMeterRegistry metrics) {
    return List.of(
        Route.open("/health/live", request -> new Answer(200, JSON, "{\"status\":\"UP\"}")),
        Route.open("/health/ready", request -> ready(checks.report())),
        Route.open("/metrics", request -> new Answer(200, PROMETHEUS, metrics.scrape())));
  }

  private static Answer ready(HealthReport report) {
    return new Answer(report.httpStatus(), JSON, report.json());
  }
}
