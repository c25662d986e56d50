package dev.onceward.ops.console;

import dev.onceward.process.ProcessRunner;

/** The console as a process of its own. */
public final class ConsoleMain {

  private ConsoleMain() {}

  /** {@code [--config FILE]}; ends the JVM. */
  public static void main(String[] arguments) {
    new ProcessRunner("onceward-console", "Shows the pipeline to operators in a browser.")
        .runAndExit(
            arguments,
            ConsoleConfig::from,
            (config, shutdown) -> {
              try (ConsoleServer server = ConsoleServer.start(config, shutdown)) {
                System.out.println("onceward console: " + server.address());
                shutdown.await();
              }
            });
  }
}
