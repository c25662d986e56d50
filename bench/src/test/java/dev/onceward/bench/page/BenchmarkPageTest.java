package dev.onceward.bench.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class BenchmarkPageTest {
  private static final String RELAY =
      """
      {"events": 800000, "rounds": 5, "cores": 2, "java": "a JVM", "jvm_flags": ["-Xmx512m"], "profiles": [],
       "contenders": [
         {"contender": "relay", "events_per_second": {"median": 50000, "min": 48000, "max": 52000}},
         {"contender": "debezium-server", "events_per_second": {"median": 30000, "min": 29000, "max": 31000}}]}
      """;

  @TempDir Path folder;

  @Test
  void ratios_are_of_one_report_and_a_missed_aim_says_so() throws IOException {
    Files.writeString(folder.resolve("relay.json"), RELAY);
    String page = BenchmarkPage.of(new Results(folder));
    assertThat(page)
        .contains("| relay | 50,000 | 48,000 – 52,000 |")
        .contains("| events/s, relay to stock Debezium Server | 1.67 | ≥ 2.00 | **no** |")
        .contains("| events/s, direct to the limit | – | ≥ 0.75 | not measured |")
        .contains("*Not measured yet.*")
        .doesNotContain("{{");
  }

  @Test
  void charts_are_drawn_without_a_screen() throws IOException {
    Path chart = folder.resolve("relay.png");
    Files.writeString(folder.resolve("relay.json"), RELAY);
    Charts.relay(new Results(folder).report("relay").orElseThrow(), chart);
    assertThat(chart).isNotEmptyFile();
  }
}
