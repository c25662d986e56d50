package dev.onceward.local.observability;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class ObservabilityFilesTest {
  private static final Pattern IN_CODE =
      Pattern.compile("`((?:onceward|jvm|hikaricp|logback)_[a-z_]+|up)`");

  @Test
  void each_alert_has_its_row_in_the_runbook_and_each_row_its_alert() throws IOException {
    assertThat(ObservabilityFiles.runbook().keySet())
        .containsExactlyElementsOf(
            ObservabilityFiles.alerts().stream().map(alert -> text(alert, "alert")).toList());
  }

  @Test
  void a_row_of_the_runbook_names_the_metrics_of_its_alert_and_says_what_to_do()
      throws IOException {
    Map<String, List<String>> runbook = ObservabilityFiles.runbook();
    for (JsonNode alert : ObservabilityFiles.alerts()) {
      List<String> cells = runbook.getOrDefault(text(alert, "alert"), List.of());
      assertThat(cells).as(text(alert, "alert")).hasSize(4).noneMatch(String::isBlank);
      Set<String> metrics = PromQuery.parse(text(alert, "expr")).metrics().keySet();
      Matcher named = IN_CODE.matcher(cells.get(1));
      List<String> inRow = new ArrayList<>();
      while (named.find()) {
        inRow.add(named.group(1));
      }
      assertThat(inRow).as(text(alert, "alert")).isNotEmpty();
      assertThat(metrics).as(text(alert, "alert")).containsAll(inRow);
    }
  }

  @Test
  void an_alert_says_how_urgent_it_is_what_it_means_and_where_to_read_on() throws IOException {
    for (JsonNode alert : ObservabilityFiles.alerts()) {
      assertThat(alert.at("/labels/severity").asText()).as("%s", alert).isIn("page", "ticket");
      assertThat(alert.at("/annotations/summary").asText()).as("%s", alert).isNotBlank();
      assertThat(alert.at("/annotations/description").asText()).as("%s", alert).isNotBlank();
      assertThat(alert.at("/annotations/runbook").asText()).isEqualTo("docs/operations.md#alerts");
    }
  }

  @Test
  void panels_have_ids_of_their_own_a_place_and_the_data_source_that_the_reader_chooses()
      throws IOException {
    Set<Integer> ids = new HashSet<>();
    Set<String> places = new HashSet<>();
    for (JsonNode panel : ObservabilityFiles.dashboard().path("panels")) {
      assertThat(ids.add(panel.path("id").asInt())).as("%s", panel.path("title")).isTrue();
      JsonNode grid = panel.path("gridPos");
      assertThat(places.add(grid.path("x") + " " + grid.path("y")))
          .as("%s", panel.path("title"))
          .isTrue();
      assertThat(grid.path("x").asInt() + grid.path("w").asInt()).isLessThanOrEqualTo(24);
      for (JsonNode target : panel.path("targets")) {
        assertThat(target.at("/datasource/uid").asText()).isEqualTo("${datasource}");
      }
    }
  }

  @Test
  void names_are_found_in_an_expression() {
    PromQuery query =
        PromQuery.parse(
            "sum by (job, le) (rate(a_total{b=\"c{d}\", e!~\"f\"}[5m])) / on (g) h > 1 or absent(i)");

    assertThat(query.metrics()).containsOnlyKeys("a_total", "h", "i");
    assertThat(query.metrics().get("a_total")).containsExactly("b", "e");
    assertThat(query.labels()).containsExactly("g", "job", "le");
  }

  private static String text(JsonNode alert, String field) {
    return alert.path(field).asText();
  }
}
