package dev.onceward.bench;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.onceward.local.report.ReportOptions;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * The result of {@code onceward bench writes}: medians of the rounds. Immutable; its component
 * names are those of the JSON.
 *
 * @param requests of each in each round
 * @param concurrency clients of each
 * @param rounds in alternation
 * @param cores that everything shared
 * @param apiPerSecond creates answered per second
 * @param barePerSecond pgbench with the same statements
 * @param p50Millis from sending a request to its answer
 * @param p99Millis likewise
 */
record WritesReport(
    int requests,
    int concurrency,
    int rounds,
    int cores,
    double apiPerSecond,
    double barePerSecond,
    double p50Millis,
    double p99Millis)
    implements ReportOptions.Report {

  /** What one round gave; the components as in the report. */
  record Round(double apiPerSecond, double barePerSecond, double p50Millis, double p99Millis) {}

  static WritesReport of(int requests, int concurrency, List<Round> rounds) {
    return new WritesReport(
        requests,
        concurrency,
        rounds.size(),
        Runtime.getRuntime().availableProcessors(),
        median(rounds, Round::apiPerSecond),
        median(rounds, Round::barePerSecond),
        median(rounds, Round::p50Millis),
        median(rounds, Round::p99Millis));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> number) {
    return rounds.stream()
        .mapToDouble(number)
        .sorted()
        .skip(rounds.size() / 2)
        .findFirst()
        .orElseThrow();
  }

  @Override
  @JsonIgnore
  public String name() {
    return "writes";
  }

  @Override
  public String table() {
    return String.format(
        Locale.ROOT,
        """
        %d idempotent creates from %d clients, %d rounds, everything on %d cores

        API        %8.0f /s    p50 %.1f ms, p99 %.1f ms
        pgbench    %8.0f /s    the API does %.2f times as many
        """,
        requests,
        concurrency,
        rounds,
        cores,
        apiPerSecond,
        p50Millis,
        p99Millis,
        barePerSecond,
        apiPerSecond / barePerSecond);
  }
}
