package dev.onceward.local.torture;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.ops.audit.AuditCommand;
import dev.onceward.process.ExitCode;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine;

/**
 * What {@code onceward audit} says of a run. Immutable.
 *
 * @param exitCode its own
 * @param word its verdict
 * @param contradictions findings by kind, duplicates apart: these are counted, not promised away
 * @param unproven why it could not prove all
 */
record AuditVerdict(int exitCode, String word, List<String> contradictions, List<String> unproven) {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int NOT_PROVEN = 5;
  private static final Duration PACE = Duration.ofSeconds(2);

  AuditVerdict {
    contradictions = List.copyOf(contradictions);
    unproven = List.copyOf(unproven);
  }

  /**
   * Asks until all is proven or contradicted: the newest events are left out until the watermark
   * has passed them.
   *
   * @param config for the command
   * @param from the first time that counts
   */
  static AuditVerdict ask(Path config, Instant from, Duration limit) throws InterruptedException {
    long deadline = System.nanoTime() + limit.toNanos();
    AuditVerdict verdict = askOnce(config, from);
    while (verdict.exitCode == NOT_PROVEN && System.nanoTime() - deadline < 0) {
      Thread.sleep(PACE.toMillis());
      verdict = askOnce(config, from);
    }
    return verdict;
  }

  boolean proven() {
    return contradictions.isEmpty()
        && unproven.isEmpty()
        && (exitCode == ExitCode.OK.number() || exitCode == ExitCode.FAILURE.number());
  }

  private static AuditVerdict askOnce(Path config, Instant from) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    int exitCode =
        new CommandLine(new AuditCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute("--config", config.toString(), "--from", from.toString(), "--output", "json");
    try {
      return of(exitCode, JSON.readTree(out.toString()));
    } catch (JsonProcessingException noReport) {
      return new AuditVerdict(exitCode, "none", List.of("no report: " + err), List.of());
    }
  }

  private static AuditVerdict of(int exitCode, JsonNode report) {
    List<String> contradictions = new ArrayList<>();
    for (Map.Entry<String, JsonNode> kind : report.path("counts").properties()) {
      if (kind.getValue().asLong() > 0 && !kind.getKey().equals("duplicate")) {
        contradictions.add(kind.getKey() + ": " + kind.getValue());
      }
    }
    List<String> unproven = new ArrayList<>();
    report.path("unproven").forEach(reason -> unproven.add(reason.asText()));
    String word = report.path("verdict").asText("none");
    if (!report.hasNonNull("verdict")) {
      contradictions.add("no report");
    }
    return new AuditVerdict(exitCode, word, contradictions, unproven);
  }
}
