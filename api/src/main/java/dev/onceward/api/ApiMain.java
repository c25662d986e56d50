package dev.onceward.api;

import dev.onceward.process.ProcessRunner;

/** The API as a process. */
public final class ApiMain {
  private ApiMain() {}

  /** Runs until SIGTERM; {@code --help} lists every setting. */
  public static void main(String[] arguments) {
    new ProcessRunner("onceward-api", "Accepts requests over HTTP and writes them to PostgreSQL.")
        .classify(ApiFailures::classify)
        .runAndExit(
            arguments,
            ApiConfig::from,
            (config, shutdown) -> {
              try (ApiServer server = ApiServer.start(config, shutdown)) {
                shutdown.await();
              }
            });
  }
}
