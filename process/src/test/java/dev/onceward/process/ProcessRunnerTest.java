package dev.onceward.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProcessRunnerTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final List<Integer> seen = new ArrayList<>();

  @Test
  void the_body_gets_the_configuration_and_ends_with_0() throws Exception {
    Path file = Files.writeString(folder.resolve("a.properties"), "onceward.a.port=9\n");

    assertThat(run((port, shutdown) -> seen.add(port), "--config", file.toString()))
        .isEqualTo(ExitCode.OK);
    assertThat(run((port, shutdown) -> seen.add(port), "--config=" + file)).isEqualTo(ExitCode.OK);
    assertThat(seen).containsExactly(9, 9);
    assertThat(err.toString(UTF_8)).isEmpty();
  }

  @Test
  void an_unknown_option_is_named_and_nothing_runs() {
    assertThat(run((port, shutdown) -> seen.add(port), "--confg", "x")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(UTF_8))
        .isEqualTo("onceward-a: unknown option \"--confg\". Did you mean --config.\n");
    assertThat(run((port, shutdown) -> seen.add(port), "start")).isEqualTo(ExitCode.USAGE);
    assertThat(err.toString(UTF_8)).contains("unexpected argument \"start\"");
    assertThat(run((port, shutdown) -> seen.add(port), "--config")).isEqualTo(ExitCode.USAGE);
    assertThat(seen).isEmpty();
  }

  @Test
  void bad_configuration_ends_with_3_and_one_line_per_problem() throws Exception {
    Path file =
        Files.writeString(folder.resolve("a.properties"), "onceward.a.port=x\nonceward.a.z=1");

    assertThat(run((port, shutdown) -> seen.add(port), "--config", file.toString()))
        .isEqualTo(ExitCode.CONFIGURATION);
    assertThat(err.toString(UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("onceward-a: configuration: onceward.a."));
    assertThat(seen).isEmpty();
  }

  @Test
  void help_lists_the_settings_and_version_is_a_version() {
    assertThat(run((port, shutdown) -> seen.add(port), "--help")).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8))
        .contains("Usage: onceward-a [--config FILE]")
        .contains("onceward.a.port  (ONCEWARD_A_PORT)")
        .contains("whole number from 0 to 65535 (port), default 1");
    out.reset();
    assertThat(run((port, shutdown) -> seen.add(port), "--version")).isEqualTo(ExitCode.OK);
    assertThat(out.toString(UTF_8)).matches("onceward-a \\d+\\.\\d+\\.\\d+.*\\n");
    assertThat(seen).isEmpty();
  }

  @Test
  void a_known_failure_is_one_line_with_the_remedy_and_its_exit_code() {
    ExitCode code =
        run(
            (port, shutdown) -> {
              throw new IllegalStateException(new SQLException("wrong password", "28P01"));
            });

    assertThat(code).isEqualTo(ExitCode.UNAVAILABLE);
    assertThat(err.toString(UTF_8))
        .isEqualTo("onceward-a: the database refuses the password. Set the right one.\n");
  }

  @Test
  void an_unknown_failure_ends_with_1_and_is_one_line_as_well() {
    ExitCode code =
        run(
            (port, shutdown) -> {
              throw new IllegalStateException("odd");
            });

    assertThat(code).isEqualTo(ExitCode.FAILURE);
    assertThat(err.toString(UTF_8).lines())
        .containsExactly(
            "onceward-a: failed with java.lang.IllegalStateException: odd. The stack trace is in the"
                + " log.");
  }

  @Test
  void a_process_that_was_asked_to_stop_is_not_ready() {
    run(
        (port, shutdown) -> {
          assertThat(shutdown.check().status()).isEqualTo(Health.Status.UP);
          shutdown.request();
          shutdown.await();
          assertThat(shutdown.check().status()).isEqualTo(Health.Status.DOWN);
          seen.add(port);
        });

    assertThat(seen).hasSize(1);
  }

  private ExitCode run(ProcessRunner.Body<Integer> body, String... arguments) {
    return new ProcessRunner("onceward-a", "Does a.")
        .printingTo(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8))
        .classify(ProcessRunnerTest::classify)
        .run(arguments, ProcessRunnerTest::port, body);
  }

  private static Integer port(Settings settings) {
    int port = settings.integer("onceward.a.port", 1, 0, 65_535, "port", "Where to listen.");
    settings.verify("onceward.a");
    return port;
  }

  private static @org.jspecify.annotations.Nullable StartupException classify(Throwable failure) {
    return failure.getCause() instanceof SQLException sql && "28P01".equals(sql.getSQLState())
        ? StartupException.unavailable(
            "the database refuses the password", "Set the right one", failure)
        : null;
  }
}
