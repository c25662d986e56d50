package dev.onceward.bench.relay;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.onceward.local.report.ReportOptions;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The result of {@code onceward bench relay}. Immutable; its component names are those of the JSON.
 *
 * @param events of the backlog
 * @param rounds in which all contenders took their turn
 * @param cores that everything shared
 * @param java what ran this tool and every contender but Debezium Server
 * @param jvmFlags of every contender that is ours
 * @param contenders in the order of their turns
 * @param profiles of our relays, if that was asked for
 */
record RelayReport(
    int events,
    int rounds,
    int cores,
    String java,
    List<String> jvmFlags,
    List<Line> contenders,
    List<Profile> profiles)
    implements ReportOptions.Report {

  /**
   * One contender, over all rounds. A member that could not be measured is null.
   *
   * @param contender its name
   * @param firstSeconds as in {@link Measured}
   * @param eventsPerSecond as in {@link Measured}
   * @param steadyPerSecond as in {@link Measured}
   * @param first100kToSteady as in {@link Measured}
   * @param settledSeconds as in {@link Measured}
   * @param cpuSecondsPer100k for 100,000 events, the start of the process included
   * @param postgresCpuSecondsPer100k likewise
   * @param kafkaCpuSecondsPer100k likewise
   * @param peakMemoryMib as in {@link Measured}
   */
  record Line(
      String contender,
      @Nullable Spread firstSeconds,
      @Nullable Spread eventsPerSecond,
      @Nullable Spread steadyPerSecond,
      @Nullable Spread first100kToSteady,
      @Nullable Spread settledSeconds,
      @Nullable Spread cpuSecondsPer100k,
      @Nullable Spread postgresCpuSecondsPer100k,
      @Nullable Spread kafkaCpuSecondsPer100k,
      @Nullable Spread peakMemoryMib) {}

  static RelayReport of(
      int events,
      int rounds,
      List<String> jvmFlags,
      Map<String, List<Measured>> measured,
      List<Profile> profiles) {
    double portion = events / 100_000.0;
    return new RelayReport(
        events,
        rounds,
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("java.vm.name") + " " + Runtime.version(),
        jvmFlags,
        measured.entrySet().stream()
            .map(contender -> line(contender.getKey(), contender.getValue(), portion))
            .toList(),
        profiles);
  }

  private static Line line(String name, List<Measured> runs, double portion) {
    return new Line(
        name,
        Spread.of(runs, Measured::firstSeconds),
        Spread.of(runs, Measured::eventsPerSecond),
        Spread.of(runs, Measured::steadyPerSecond),
        Spread.of(runs, Measured::first100kToSteady),
        Spread.of(runs, Measured::settledSeconds),
        Spread.of(runs, run -> run.cpuSeconds() / portion),
        Spread.of(runs, run -> run.postgresCpuSeconds() / portion),
        Spread.of(runs, run -> run.kafkaCpuSeconds() / portion),
        Spread.of(runs, Measured::peakMemoryMib));
  }

  @Override
  @JsonIgnore
  public String name() {
    return "relay";
  }

  @Override
  public String table() {
    StringBuilder table = new StringBuilder();
    table.append(
        String.format(
            Locale.ROOT,
            """
            %,d events of 300 bytes, 1 to 100 in a transaction, %d rounds, everything on %d cores
            %s, %s; medians (least to greatest); CPU-seconds are for 100,000 events

            %-22s %-26s %9s %8s %8s %7s %9s %7s %9s
            """,
            events,
            rounds,
            cores,
            java,
            String.join(" ", jvmFlags),
            "",
            "events/s",
            "steady/s",
            "first s",
            "settle s",
            "CPU s",
            "PG CPU s",
            "Kafka s",
            "peak MiB"));
    for (Line line : contenders) {
      table.append(
          String.format(
              Locale.ROOT,
              "%-22s %-26s %9s %8s %8s %7s %9s %7s %9s%n",
              line.contender,
              spread(line.eventsPerSecond),
              Spread.median("%,.0f", line.steadyPerSecond),
              Spread.median("%.1f", line.firstSeconds),
              Spread.median("%.1f", line.settledSeconds),
              Spread.median("%.2f", line.cpuSecondsPer100k),
              Spread.median("%.2f", line.postgresCpuSecondsPer100k),
              Spread.median("%.2f", line.kafkaCpuSecondsPer100k),
              Spread.median("%.0f", line.peakMemoryMib)));
    }
    if (!profiles.isEmpty()) {
      table.append(String.format("%nWhere the CPU was, in a run of its own%n"));
      profiles.forEach(profile -> table.append(profile.line()).append(System.lineSeparator()));
    }
    return table.toString();
  }

  private static String spread(@Nullable Spread spread) {
    return spread == null
        ? "-"
        : String.format(
            Locale.ROOT, "%,.0f (%,.0f to %,.0f)", spread.median(), spread.min(), spread.max());
  }
}
