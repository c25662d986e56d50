package dev.onceward.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a short-lived program said and how it ended. */
record ProgramResult(int exitCode, String output) {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  static ProgramResult run(List<String> command) {
    return run(command, LIMIT);
  }

  /**
   * Runs it to its end, in a neutral locale so that messages can be read; kills it at the limit.
   */
  static ProgramResult run(List<String> command, Duration limit) {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectInput(new File("/dev/null")).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    try {
      Process process = builder.start();
      var unused =
          process
              .onExit()
              .orTimeout(limit.toMillis(), TimeUnit.MILLISECONDS)
              .exceptionally(late -> process.destroyForcibly());
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      return new ProgramResult(process.waitFor(), output.strip());
    } catch (IOException e) {
      throw new InfrastructureException("Cannot run " + command + ": " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InfrastructureException("Interrupted while running " + command, e);
    }
  }

  boolean ok() {
    return exitCode == 0;
  }
}
