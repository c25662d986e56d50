package dev.onceward.bench.relay;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.onceward.local.report.ReportOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@code onceward bench latency}. Immutable; its component names are those of the
 * JSON.
 *
 * @param seconds that each rate lasted
 * @param rounds in which all contenders took their turn
 * @param cores that everything shared
 * @param java what ran this tool and every contender but Debezium Server
 * @param jvmFlags of every contender
 * @param lines one for each contender and rate
 */
record LatencyReport(
    int seconds, int rounds, int cores, String java, List<String> jvmFlags, List<Line> lines)
    implements ReportOptions.Report {

  /**
   * One contender at one rate, over all rounds. A member that could not be measured is null.
   *
   * @param contender its name
   * @param rate transactions per second
   * @param p50Millis as in {@link LiveMeasured}
   * @param p99Millis as in {@link LiveMeasured}
   * @param maxMillis as in {@link LiveMeasured}
   * @param cpuPercent as in {@link LiveMeasured}
   * @param idleCpuPercent as in {@link LiveHeat.Result}
   */
  record Line(
      String contender,
      int rate,
      @Nullable Spread p50Millis,
      @Nullable Spread p99Millis,
      @Nullable Spread maxMillis,
      @Nullable Spread cpuPercent,
      @Nullable Spread idleCpuPercent) {}

  static LatencyReport of(
      List<Integer> rates,
      int seconds,
      int rounds,
      List<String> jvmFlags,
      Map<String, List<LiveHeat.Result>> results) {
    List<Line> lines = new ArrayList<>();
    results.forEach((name, runs) -> rates.forEach(rate -> lines.add(line(name, rate, runs))));
    return new LatencyReport(
        seconds,
        rounds,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        jvmFlags,
        lines);
  }

  private static Line line(String name, int rate, List<LiveHeat.Result> runs) {
    return new Line(
        name,
        rate,
        of(runs, rate, LiveMeasured::p50Millis),
        of(runs, rate, LiveMeasured::p99Millis),
        of(runs, rate, LiveMeasured::maxMillis),
        of(runs, rate, LiveMeasured::cpuPercent),
        Spread.of(runs, LiveHeat.Result::idleCpuPercent));
  }

  private static @Nullable Spread of(
      List<LiveHeat.Result> runs, int rate, ToDoubleFunction<LiveMeasured> number) {
    return Spread.of(
        runs,
        run -> {
          LiveMeasured measured = run.rates().get(rate);
          return measured == null ? Double.NaN : number.applyAsDouble(measured);
        });
  }

  @Override
  @JsonIgnore
  public String name() {
    return "latency";
  }

  @Override
  public String table() {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            """
            Transactions of one row of 300 bytes, commit to consumer in ms, %d s a rate, %d rounds, everything on %d cores
            %s, %s; medians; CPU in percent of a core

            %-22s %6s %8s %8s %8s %8s %8s
            """,
            seconds,
            rounds,
            cores,
            java,
            String.join(" ", jvmFlags),
            "",
            "rate/s",
            "p50",
            "p99",
            "max",
            "CPU",
            "idle"));
    for (Line line : lines) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-22s %6d %8s %8s %8s %8s %8s%n",
              line.contender,
              line.rate,
              Spread.median("%.1f", line.p50Millis),
              Spread.median("%.1f", line.p99Millis),
              Spread.median("%.1f", line.maxMillis),
              Spread.median("%.1f", line.cpuPercent),
              Spread.median("%.1f", line.idleCpuPercent)));
    }
    return table.toString();
  }
}
