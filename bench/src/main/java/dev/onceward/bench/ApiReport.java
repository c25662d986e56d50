package dev.onceward.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.onceward.local.report.ReportOptions;
import java.util.Locale;

/**
 * The result of {@code onceward bench api}. Immutable; its component names are those of the JSON.
 *
 * @param requests measured, each with a key of its own
 * @param concurrency clients that send one request after the other
 * @param cores of the machine, which runs everything
 * @param acceptedPerSecond answers 202 per second while the clients sent
 * @param p50Millis from sending a request to its answer
 * @param p99Millis likewise
 * @param maxMillis likewise
 * @param succeededPerSecond operations from the first request until the last one had succeeded
 * @param tailSeconds from the last answer until the last operation had succeeded
 */
record ApiReport(
    int requests,
    int concurrency,
    int cores,
    double acceptedPerSecond,
    double p50Millis,
    double p99Millis,
    double maxMillis,
    double succeededPerSecond,
    double tailSeconds)
    implements ReportOptions.Report {

  @Override
  @JsonIgnore
  public String name() {
    return "api";
  }

  /** As a table for people. */
  @Override
  public String table() {
    return String.format(
        Locale.ROOT,
        """
        POST /v1/stores: %d requests from %d clients, everything on %d cores

        accepted      %8.0f /s
        answer p50    %8.1f ms
        answer p99    %8.1f ms
        answer max    %8.1f ms
        succeeded     %8.0f /s    first request to last operation succeeded
        tail          %8.1f s     last answer to last operation succeeded
        """,
        requests,
        concurrency,
        cores,
        acceptedPerSecond,
        p50Millis,
        p99Millis,
        maxMillis,
        succeededPerSecond,
        tailSeconds);
  }
}
