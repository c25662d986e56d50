package dev.onceward.embedded;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** What a short-lived program said and how it ended. */
record ProgramResult(int exitCode, String output) {
  private static final long LIMIT_SECONDS = 120;

  /** Runs it to its end, in a neutral locale so that messages can be read. */
  static ProgramResult run(List<String> command) {
    ProcessBuilder builder =
        new ProcessBuilder(command).redirectInput(new File("/dev/null")).redirectErrorStream(true);
    builder.environment().put("LC_ALL", "C");
    try {
      Process process = builder.start();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      if (!process.waitFor(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly();
        throw new InfrastructureException(
            "%s has not ended after %d s.".formatted(command, LIMIT_SECONDS));
      }
      return new ProgramResult(process.exitValue(), output.strip());
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
