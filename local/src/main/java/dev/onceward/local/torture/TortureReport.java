package dev.onceward.local.torture;

import dev.onceward.local.report.ReportOptions;
import dev.onceward.ops.show.TextTable;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a run has shown. Immutable.
 *
 * @param seed to repeat it with
 * @param seconds how long faults were injected
 * @param restSeconds how long the pipeline then took to come to rest
 * @param transactions of the SQL writers
 * @param requests that were sent, repetitions included
 * @param committed events that must be on Kafka
 * @param rolledBack events that must not be
 * @param settled events whose commit nobody had confirmed, settled by looking
 * @param operations of the requests
 * @param records on Kafka
 * @param duplicates records beyond the first of their event
 * @param duplicateExamples the first of these
 * @param repairs records that the relay's audit sent late
 * @param extraCalls of the platform, beyond the first for each operation
 * @param faults how many of each part and kind
 * @param endings parts that ended by themselves or could not be started, and how often
 * @param guarantees each with its result
 */
public record TortureReport(
    long seed,
    long seconds,
    long restSeconds,
    long transactions,
    long requests,
    long committed,
    long rolledBack,
    long settled,
    long operations,
    long records,
    long duplicates,
    List<String> duplicateExamples,
    long repairs,
    long extraCalls,
    Map<String, Long> faults,
    Map<String, Long> endings,
    List<GuaranteeResult> guarantees)
    implements ReportOptions.Report {

  /** Copies what can change. */
  public TortureReport {
    duplicateExamples = List.copyOf(duplicateExamples);
    faults = Collections.unmodifiableMap(new TreeMap<>(faults));
    endings = Collections.unmodifiableMap(new TreeMap<>(endings));
    guarantees = List.copyOf(guarantees);
  }

  /** Whether every guarantee held. */
  public boolean passed() {
    return guarantees.stream().allMatch(GuaranteeResult::held);
  }

  @Override
  public String name() {
    return "torture-" + seed;
  }

  @Override
  public String table() {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    out.println();
    out.println(
        "%d s of faults, %d s until all was quiet: %s"
            .formatted(seconds, restSeconds, faults.isEmpty() ? "none" : words(faults)));
    out.println(
        "%d transactions, %d events committed (%d of them or of the others only by looking), %d rolled back"
            .formatted(transactions, committed, settled, rolledBack));
    out.println(
        "%d requests, %d operations, %d calls of the platform beyond the first"
            .formatted(requests, operations, extraCalls));
    out.println(
        "%d records on Kafka, %d duplicates, %d sent late by the audit"
            .formatted(records, duplicates, repairs));
    duplicateExamples.forEach(each -> out.println("  duplicate " + each));
    if (!endings.isEmpty()) {
      out.println("ended by themselves: " + words(endings));
    }
    out.println();
    TextTable table = new TextTable("GUARANTEE", "HELD", "VIOLATIONS", "MEASURED");
    for (GuaranteeResult each : guarantees) {
      table.row(each.guarantee(), each.held() ? "yes" : "NO", each.violations(), each.measured());
    }
    table.print(out);
    for (GuaranteeResult each : guarantees) {
      each.examples().forEach(example -> out.println("  " + each.guarantee() + ": " + example));
    }
    out.println();
    out.println((passed() ? "All held." : "NOT all held.") + " Seed " + seed + ".");
    out.flush();
    return text.toString();
  }

  private static String words(Map<String, Long> counts) {
    StringBuilder words = new StringBuilder();
    counts.forEach(
        (what, count) ->
            words.append(words.isEmpty() ? "" : ", ").append(what).append(" ").append(count));
    return words.toString();
  }
}
