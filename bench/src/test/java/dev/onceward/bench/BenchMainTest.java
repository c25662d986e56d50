package dev.onceward.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledForJreRange;
import org.junit.jupiter.api.condition.JRE;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

final class BenchMainTest {

  @TempDir Path folder;

  private final StringWriter err = new StringWriter();

  @ParameterizedTest
  @CsvSource({
    "--requests=0, --requests is 0",
    "--concurrency=5000, --concurrency is 5000",
    "--warm-up=-1, --warm-up is -1",
    "--requets=5, Unknown option",
    "--output=xml, xml"
  })
  void a_wrong_command_line_is_refused_before_anything_starts(String option, String message) {
    assertThat(run("api", option)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds=0, --rounds is 0",
    "--tasks=1, --tasks is 1",
    "--concurrency=0, --concurrency is 0"
  })
  void the_workers_measurement_checks_its_numbers_first(String option, String message) {
    assertThat(run("workers", option)).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @ParameterizedTest
  @CsvSource({
    "--rounds=0, --rounds is 0",
    "--events=10, --events is 10",
    "--contenders=relay;swift, names \"swift\"",
    "--contenders=debezium-server, names \"debezium-server\"",
    "--debezium-server=/nowhere, /nowhere"
  })
  void the_relay_measurement_checks_what_it_is_given_first(String option, String message) {
    assertThat(run("relay", option.replace(';', ','))).isEqualTo(2);
    assertThat(err.toString()).contains(message);
  }

  @Test
  void a_measurement_must_be_named() {
    assertThat(run()).isEqualTo(2);
    assertThat(err.toString())
        .contains("Say what: all, api, growth, latency, page, relay, train, workers, writes");
  }

  @Test
  void without_reports_there_is_no_page() {
    assertThat(run("page", "--results=/nowhere")).isEqualTo(2);
    assertThat(err.toString()).contains("there is no folder /nowhere; measure with --results");
  }

  @Test
  @DisabledForJreRange(min = JRE.JAVA_25)
  void all_ends_with_the_first_measurement_that_cannot_be_made() {
    assertThat(run("all", "--results=" + folder)).isEqualTo(2);
    assertThat(err.toString())
        .contains("bench train", "set JAVA_HOME to a Java 25 or newer")
        .doesNotContain("bench relay");
  }

  private int run(String... arguments) {
    CommandLine commandLine = BenchMain.commandLine();
    commandLine.setErr(new PrintWriter(err, true));
    return commandLine.execute(arguments);
  }
}
