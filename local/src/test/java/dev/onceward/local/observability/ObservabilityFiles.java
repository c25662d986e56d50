package dev.onceward.local.observability;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code docs/observability/} holds. */
public final class ObservabilityFiles {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Path FOLDER = DOCS.resolve("observability");

  private ObservabilityFiles() {}

  /** The alert rules, in their order. */
  public static List<JsonNode> alerts() throws IOException {
    List<JsonNode> alerts = new ArrayList<>();
    JsonNode file = new YAMLMapper().readTree(FOLDER.resolve("alerts.yaml").toFile());
    file.path("groups").forEach(group -> group.path("rules").forEach(alerts::add));
    return alerts;
  }

  /** The dashboard. */
  public static JsonNode dashboard() throws IOException {
    return new ObjectMapper().readTree(FOLDER.resolve("dashboard.json").toFile());
  }

  /** Every expression of rules and dashboard, by where it stands. */
  public static Map<String, String> expressions() throws IOException {
    Map<String, String> expressions = new LinkedHashMap<>();
    for (JsonNode alert : alerts()) {
      expressions.put("alert " + alert.path("alert").asText(), alert.path("expr").asText());
    }
    for (JsonNode panel : dashboard().path("panels")) {
      for (JsonNode target : panel.path("targets")) {
        expressions.put(
            "panel " + panel.path("title").asText() + " " + target.path("refId").asText(),
            target.path("expr").asText());
      }
    }
    return expressions;
  }

  /** The rows of the runbook, cells without the outer bars, by the alert's name. */
  public static Map<String, List<String>> runbook() throws IOException {
    String page = Files.readString(DOCS.resolve("operations.md"));
    int from = page.indexOf("\n## Alerts\n");
    String section = page.substring(from, page.indexOf("\n## ", from + 1));
    Map<String, List<String>> rows = new LinkedHashMap<>();
    for (String line : section.lines().filter(each -> each.startsWith("| `Onceward")).toList()) {
      List<String> cells = List.of(line.substring(1, line.length() - 1).split("\\|", -1));
      rows.put(cells.get(0).strip().replace("`", ""), cells);
    }
    return rows;
  }
}
