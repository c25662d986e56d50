package dev.onceward.local.matrix;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;

/** The results as a part of a page. Stateless. */
public final class MatrixTable {

  private static final String BEGIN = "<!-- crash-matrix: begin -->\n";
  private static final String END = "<!-- crash-matrix: end -->";

  /** The combination that is run most, and shown in full. */
  private static final int MAIN_POSTGRES = 18;

  private static final String MAIN_CAPTURE = "debezium";

  /** The counts of the table in full, from left to right. */
  private static final Map<String, ToLongFunction<TrialResult>> COUNTS = counts();

  private MatrixTable() {}

  private static Map<String, ToLongFunction<TrialResult>> counts() {
    Map<String, ToLongFunction<TrialResult>> counts = new LinkedHashMap<>();
    counts.put("lost", TrialResult::lost);
    counts.put("phantom", TrialResult::phantoms);
    counts.put("changed", TrialResult::changed);
    counts.put("order", TrialResult::overtaken);
    counts.put("effects", TrialResult::effects);
    counts.put("answers", TrialResult::answers);
    counts.put("unfinished", TrialResult::unfinished);
    counts.put("not at rest", TrialResult::unrest);
    counts.put("duplicates", TrialResult::duplicates);
    counts.put("late", TrialResult::repairs);
    return counts;
  }

  /**
   * Writes the results between the page's two marks.
   *
   * @throws IOException if it cannot be read or written, or has no such marks
   */
  public static void writeInto(Path page, List<TrialResult> results) throws IOException {
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    int end = text.indexOf(END);
    if (begin < 0 || end < begin) {
      throw new IOException(page + " has not the marks " + BEGIN.strip() + " and " + END);
    }
    Files.writeString(
        page, text.substring(0, begin) + BEGIN + "\n" + of(results) + "\n" + text.substring(end));
  }

  /** As Markdown, which ends with a line break. */
  static String of(List<TrialResult> results) {
    StringBuilder text = new StringBuilder();
    long hits = results.stream().filter(TrialResult::hit).count();
    text.append(
        "%d repetitions hit their moment, %d missed it and are not counted. PostgreSQL %d, %s:%n%n"
            .formatted(hits, results.size() - hits, MAIN_POSTGRES, MAIN_CAPTURE));
    inFull(text, of(results, MAIN_POSTGRES, MAIN_CAPTURE));
    Map<String, List<TrialResult>> others =
        results.stream()
            .filter(TrialResult::hit)
            .filter(
                result ->
                    result.postgres() != MAIN_POSTGRES || !result.capture().equals(MAIN_CAPTURE))
            .sorted(Comparator.comparing(TrialResult::postgres).thenComparing(TrialResult::capture))
            .collect(
                Collectors.groupingBy(
                    result -> result.postgres() + " " + result.capture(),
                    LinkedHashMap::new,
                    Collectors.toList()));
    if (!others.isEmpty()) {
      text.append("\nThe other combinations, repetitions / findings / duplicates:\n\n");
      inShort(text, others);
    }
    findings(text, results);
    return text.toString();
  }

  private static void inFull(StringBuilder text, List<TrialResult> results) {
    text.append("| moment | dies | runs | ")
        .append(String.join(" | ", COUNTS.keySet()))
        .append(" | seconds |\n|---|---")
        .append("|---:".repeat(COUNTS.size() + 2))
        .append("|\n");
    for (Cell cell : Cell.all()) {
      List<TrialResult> runs = of(results, cell);
      head(text, cell).append(" | ").append(runs.size());
      // A zero is something that was looked for.
      COUNTS
          .values()
          .forEach(
              count ->
                  text.append(" | ").append(runs.isEmpty() ? "" : Long.toString(sum(runs, count))));
      text.append(" | ").append(seconds(runs)).append(" |\n");
    }
  }

  private static void inShort(StringBuilder text, Map<String, List<TrialResult>> others) {
    text.append("| moment | dies | ")
        .append(String.join(" | ", others.keySet()))
        .append(" |\n|---|---")
        .append("|---:".repeat(others.size()))
        .append("|\n");
    for (Cell cell : Cell.all()) {
      head(text, cell);
      for (List<TrialResult> results : others.values()) {
        List<TrialResult> runs = of(results, cell);
        text.append(" | ")
            .append(runs.size())
            .append(" / ")
            .append(sum(runs, TrialResult::violations))
            .append(" / ")
            .append(sum(runs, TrialResult::duplicates));
      }
      text.append(" |\n");
    }
  }

  private static StringBuilder head(StringBuilder text, Cell cell) {
    String dies =
        switch (cell.victim()) {
          case PROCESS -> cell.moment().process();
          case POSTGRES -> "PostgreSQL";
          case KAFKA -> "Kafka";
        };
    return text.append("| ").append(cell.moment().words()).append(" | ").append(dies);
  }

  /** Also of those that missed their moment: nothing that was found is hidden. */
  private static void findings(StringBuilder text, List<TrialResult> results) {
    List<TrialResult> found = results.stream().filter(each -> each.violations() > 0).toList();
    if (found.isEmpty()) {
      return;
    }
    text.append("\nFound, in repetitions that did not hit their moment too:\n\n");
    for (TrialResult each : found) {
      text.append("- ")
          .append(each.at())
          .append(' ')
          .append(each.moment())
          .append('/')
          .append(each.victim())
          .append(each.hit() ? ": " : " (missed): ")
          .append(String.join("; ", each.findings()))
          .append('\n');
    }
  }

  private static List<TrialResult> of(List<TrialResult> results, int postgres, String capture) {
    return results.stream()
        .filter(each -> each.hit() && each.postgres() == postgres)
        .filter(each -> each.capture().equals(capture))
        .toList();
  }

  private static List<TrialResult> of(List<TrialResult> results, Cell cell) {
    return results.stream().filter(each -> each.isOf(cell)).toList();
  }

  private static long sum(List<TrialResult> results, ToLongFunction<TrialResult> count) {
    return results.stream().mapToLong(count).sum();
  }

  /** The median of a repetition. */
  private static String seconds(List<TrialResult> results) {
    long[] millis = results.stream().mapToLong(TrialResult::millis).sorted().toArray();
    return millis.length == 0
        ? ""
        : String.format(Locale.ROOT, "%.0f", millis[millis.length / 2] / 1000.0);
  }
}
