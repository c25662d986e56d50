package dev.onceward.bench.page;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

/** The text of docs/benchmarks.md. Stateless. */
final class BenchmarkPage {
  private static final String NOT_MEASURED = "*Not measured yet.*\n";

  private BenchmarkPage() {}

  /**
   * Fills the template.
   *
   * @throws IOException if a report cannot be read
   */
  static String of(Results results) throws IOException {
    String page = template();
    for (Map.Entry<String, String> part : parts(results).entrySet()) {
      page = page.replace("{{" + part.getKey() + "}}\n", part.getValue());
    }
    return page;
  }

  private static Map<String, String> parts(Results results) throws IOException {
    return Map.of(
        "relay", results.report("relay").map(BenchmarkPage::relay).orElse(NOT_MEASURED),
        "latency", results.report("latency").map(BenchmarkPage::latency).orElse(NOT_MEASURED),
        "growth", results.report("growth").map(BenchmarkPage::growth).orElse(NOT_MEASURED),
        "workers", results.report("workers").map(BenchmarkPage::workers).orElse(NOT_MEASURED),
        "writes", results.report("writes").map(BenchmarkPage::writes).orElse(NOT_MEASURED),
        "api", results.report("api").map(BenchmarkPage::api).orElse(NOT_MEASURED));
  }

  private static String relay(JsonNode report) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "%,d events of 300 bytes in transactions of 1 to 100, %d rounds in alternation. %s\n\n",
            report.path("events").asInt(),
            report.path("rounds").asInt(),
            machine(report)));
    text.append(
        """
        | | events/s | (least – greatest) | steady/s | first record, s | CPU s per 100,000 | PostgreSQL's | Kafka's | peak MiB |
        |---|--:|--:|--:|--:|--:|--:|--:|--:|
        """);
    for (JsonNode line : report.path("contenders")) {
      JsonNode rate = line.path("events_per_second");
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %,.0f – %,.0f | %s | %s | %s | %s | %s | %s |\n",
              line.path("contender").asText(),
              median("%,.0f", rate),
              rate.path("min").asDouble(),
              rate.path("max").asDouble(),
              median("%,.0f", line.path("steady_per_second")),
              median("%.1f", line.path("first_seconds")),
              median("%.2f", line.path("cpu_seconds_per100k")),
              median("%.2f", line.path("postgres_cpu_seconds_per100k")),
              median("%.2f", line.path("kafka_cpu_seconds_per100k")),
              median("%.0f", line.path("peak_memory_mib"))));
    }
    text.append("\n![Events per second](benchmarks/relay.png)\n\n")
        .append(aims(Aims.relay(report)));
    if (!report.path("profiles").isEmpty()) {
      text.append(
          "\nWhere the relay's CPU was, in a run of its own under the flight recorder:\n\n");
      for (JsonNode profile : report.path("profiles")) {
        text.append("- ").append(profile.path("contender").asText()).append(": ");
        text.append(
            profile.path("percent").properties().stream()
                .map(
                    part ->
                        String.format(
                            Locale.ROOT, "%s %.1f %%", part.getKey(), part.getValue().asDouble()))
                .collect(Collectors.joining(", ")));
        text.append('\n');
      }
    }
    return text.toString();
  }

  private static String latency(JsonNode report) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT,
            "Transactions of one row, from the return of the commit to a consumer, in ms; %d s a"
                + " rate, %d rounds in alternation. %s\n\n",
            report.path("seconds").asInt(),
            report.path("rounds").asInt(),
            machine(report)));
    text.append(
        """
        | | rate/s | p50 | p99 | max | CPU, % of a core | idle CPU, % |
        |---|--:|--:|--:|--:|--:|--:|
        """);
    for (JsonNode line : report.path("lines")) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %d | %s | %s | %s | %s | %s |\n",
              line.path("contender").asText(),
              line.path("rate").asInt(),
              median("%.1f", line.path("p50_millis")),
              median("%.1f", line.path("p99_millis")),
              median("%.0f", line.path("max_millis")),
              median("%.0f", line.path("cpu_percent")),
              median("%.1f", line.path("idle_cpu_percent"))));
    }
    return text.append("\n![Latency](benchmarks/latency.png)\n\n")
        .append(aims(Aims.latency(report)))
        .toString();
  }

  private static String growth(JsonNode report) {
    StringBuilder text = new StringBuilder(machine(report)).append("\n\n");
    text.append(
        """
        | what grows | | events | events/s | steady/s | first record, s | last audited after, s | CPU s per 100,000 | PostgreSQL's | peak MiB |
        |---|---|--:|--:|--:|--:|--:|--:|--:|--:|
        """);
    for (JsonNode line : report.path("lines")) {
      text.append(
          String.format(
              Locale.ROOT,
              "| %s | %s | %,d | %,.0f | %,.0f | %.1f | %.1f | %.2f | %.2f | %.0f |\n",
              line.path("shape").asText(),
              line.path("contender").asText(),
              line.path("events").asInt(),
              line.path("events_per_second").asDouble(),
              line.path("steady_per_second").asDouble(),
              line.path("first_seconds").asDouble(),
              line.path("settled_seconds").asDouble(),
              line.path("cpu_seconds_per100k").asDouble(),
              line.path("postgres_cpu_seconds_per100k").asDouble(),
              line.path("peak_memory_mib").asDouble()));
    }
    return text.toString();
  }

  private static String workers(JsonNode report) {
    return String.format(
            Locale.ROOT,
            """
            %,d tasks whose handler does nothing, %d at a time.

            | | tasks/s |
            |---|--:|
            | worker | %,.0f |
            | worker, batching off | %,.0f |
            | pgbench, a claim and a finish by id | %,.0f |

            """,
            report.path("tasks").asInt(),
            report.path("concurrency").asInt(),
            report.path("batched").asDouble(),
            report.path("alone").asDouble(),
            report.path("bare_statements").asDouble())
        + aims(Aims.workers(report));
  }

  private static String writes(JsonNode report) {
    return String.format(
            Locale.ROOT,
            """
            %,d creates of each in each of %d rounds, %d clients, each request with a key of its own; nothing else ran.

            | | creates/s | p50, ms | p99, ms |
            |---|--:|--:|--:|
            | API | %,.0f | %.1f | %.1f |
            | pgbench, the same statements, prepared | %,.0f | | |

            """,
            report.path("requests").asInt(),
            report.path("rounds").asInt(),
            report.path("concurrency").asInt(),
            report.path("api_per_second").asDouble(),
            report.path("p50_millis").asDouble(),
            report.path("p99_millis").asDouble(),
            report.path("bare_per_second").asDouble())
        + aims(Aims.writes(report));
  }

  private static String api(JsonNode report) {
    return String.format(
        Locale.ROOT,
        """
        `POST /v1/stores` from %d clients, each request with a key of its own, relay and workers running beside it.

        | | |
        |---|--:|
        | answers 202 per second | %,.0f |
        | p50 / p99 / max, ms | %.1f / %.1f / %.1f |
        | operations succeeded per second | %,.0f |
        | last answer to last operation succeeded, s | %.1f |
        """,
        report.path("concurrency").asInt(),
        report.path("accepted_per_second").asDouble(),
        report.path("p50_millis").asDouble(),
        report.path("p99_millis").asDouble(),
        report.path("max_millis").asDouble(),
        report.path("succeeded_per_second").asDouble(),
        report.path("tail_seconds").asDouble());
  }

  private static String aims(List<Aim> aims) {
    return "| aim | measured | wanted | reached |\n|---|--:|--:|---|\n"
        + aims.stream().map(Aim::line).collect(Collectors.joining());
  }

  private static String machine(JsonNode report) {
    String flags =
        StreamSupport.stream(report.path("jvm_flags").spliterator(), false)
            .map(JsonNode::asText)
            .collect(Collectors.joining(" "));
    return "Everything on "
        + report.path("cores").asInt()
        + " cores; "
        + report.path("java").asText()
        + ", "
        + flags
        + ".";
  }

  private static String median(String format, JsonNode spread) {
    JsonNode median = spread.path("median");
    return median.isNumber() ? String.format(Locale.ROOT, format, median.asDouble()) : "–";
  }

  private static String template() throws IOException {
    try (InputStream in = BenchmarkPage.class.getResourceAsStream("benchmarks.md")) {
      if (in == null) {
        throw new IllegalStateException("the template benchmarks.md is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
