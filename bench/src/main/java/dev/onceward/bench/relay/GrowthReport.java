package dev.onceward.bench.relay;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.onceward.local.report.ReportOptions;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * The result of {@code onceward bench growth}. Immutable; its component names are those of the
 * JSON.
 *
 * @param cores that everything shared
 * @param java what ran this tool and every contender but Debezium Server
 * @param jvmFlags of every contender that is ours
 * @param lines in the order of the runs
 */
record GrowthReport(int cores, String java, List<String> jvmFlags, List<Line> lines)
    implements ReportOptions.Report {

  /**
   * One run.
   *
   * @param shape what grew
   * @param contender its name
   * @param events of the backlog
   * @param firstSeconds as in {@link Measured}
   * @param eventsPerSecond as in {@link Measured}
   * @param steadyPerSecond as in {@link Measured}
   * @param settledSeconds as in {@link Measured}
   * @param cpuSecondsPer100k for 100,000 events, the start of the process included
   * @param postgresCpuSecondsPer100k likewise
   * @param peakMemoryMib as in {@link Measured}
   */
  record Line(
      String shape,
      String contender,
      int events,
      double firstSeconds,
      double eventsPerSecond,
      double steadyPerSecond,
      double settledSeconds,
      double cpuSecondsPer100k,
      double postgresCpuSecondsPer100k,
      double peakMemoryMib) {

    String text() {
      return String.format(
          Locale.ROOT,
          "%-24s %-18s %,11d %,9.0f %,9.0f %8.1f %8.1f %8.2f %8.2f %8.0f",
          shape,
          contender,
          events,
          eventsPerSecond,
          steadyPerSecond,
          firstSeconds,
          settledSeconds,
          cpuSecondsPer100k,
          postgresCpuSecondsPer100k,
          peakMemoryMib);
    }
  }

  static GrowthReport of(List<String> jvmFlags, List<Line> lines) {
    return new GrowthReport(
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        jvmFlags,
        List.copyOf(lines));
  }

  static Line line(Shape shape, String contender, Measured run) {
    double portion = shape.events() / 100_000.0;
    return new Line(
        shape.name(),
        contender,
        shape.events(),
        run.firstSeconds(),
        run.eventsPerSecond(),
        run.steadyPerSecond(),
        run.settledSeconds(),
        run.cpuSeconds() / portion,
        run.postgresCpuSeconds() / portion,
        run.peakMemoryMib());
  }

  @Override
  @JsonIgnore
  public String name() {
    return "growth";
  }

  @Override
  public String table() {
    return String.format(
            Locale.ROOT,
            """
            Everything on %d cores; %s, %s; CPU-seconds are for 100,000 events

            %-24s %-18s %11s %9s %9s %8s %8s %8s %8s %8s
            """,
            cores,
            java,
            String.join(" ", jvmFlags),
            "",
            "",
            "events",
            "events/s",
            "steady/s",
            "first s",
            "settle s",
            "CPU s",
            "PG CPU s",
            "peak MiB")
        + lines.stream().map(Line::text).collect(Collectors.joining("\n", "", "\n"));
  }
}
