package dev.onceward.process;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A real JVM, a real SIGTERM. */
@Timeout(60)
class ProcessLifeTest {
  /** Starts, waits for the signal, and stops well or not at all. */
  static final class Example {
    private Example() {}

    public static void main(String[] arguments) {
      new ProcessRunner("onceward-example", "An example.")
          .runAndExit(
              arguments,
              settings -> settings.bool("onceward.example.stubborn", false, "Never stop."),
              (stubborn, shutdown) -> {
                System.out.println("started");
                shutdown.await();
                while (stubborn) {
                  Thread.sleep(1_000);
                }
              });
    }
  }

  @Test
  void sigterm_lets_the_body_finish_and_exits_with_0() throws Exception {
    Process process = start(Map.of());
    List<String> lines = untilStarted(process);

    process.toHandle().destroy();

    try (BufferedReader rest = process.inputReader(UTF_8)) {
      rest.lines().forEach(lines::add);
    }
    assertThat(process.waitFor()).isZero();
    assertThat(lines)
        .filteredOn(line -> line.contains("stopped"))
        .singleElement()
        .asString()
        .startsWith("{\"time\":\"20")
        .contains("Z\"", "\"level\":\"INFO\"", "\"process\":\"onceward-example\"");
  }

  @Test
  void a_body_that_does_not_stop_is_ended_after_the_grace_time() throws Exception {
    Process process =
        start(Map.of("ONCEWARD_EXAMPLE_STUBBORN", "true", "ONCEWARD_SHUTDOWN_GRACE", "50ms"));
    untilStarted(process);

    process.toHandle().destroy();

    assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isNotZero();
    assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8))
        .startsWith("onceward-example: did not stop within");
  }

  @Test
  void a_wrong_log_format_stops_the_start() throws Exception {
    Process process = start(Map.of("ONCEWARD_LOG_FORMAT", "xml"));

    assertThat(process.waitFor()).isEqualTo(ExitCode.CONFIGURATION.number());
    assertThat(new String(process.getErrorStream().readAllBytes(), UTF_8))
        .contains("onceward.log.format is \"xml\". Set ONCEWARD_LOG_FORMAT to json or text.");
  }

  @Test
  void text_logs_are_for_people() throws Exception {
    Process process = start(Map.of("ONCEWARD_LOG_FORMAT", "text"));

    assertThat(untilStarted(process)).anyMatch(line -> line.matches("20.*Z INFO .*starts.*"));
    process.toHandle().destroy();
    assertThat(process.waitFor()).isZero();
  }

  private static List<String> untilStarted(Process process) throws IOException {
    List<String> lines = new ArrayList<>();
    BufferedReader reader = process.inputReader(UTF_8);
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      lines.add(line);
      if (line.equals("started")) {
        return lines;
      }
    }
    throw new AssertionError("it ended before it had started: " + lines);
  }

  private static Process start(Map<String, String> environment) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home", ""), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path", ""),
            Example.class.getName());
    builder.environment().keySet().removeIf(name -> name.startsWith("ONCEWARD_"));
    builder.environment().putAll(environment);
    return builder.start();
  }
}
