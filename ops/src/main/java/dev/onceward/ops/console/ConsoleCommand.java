package dev.onceward.ops.console;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code onceward console}. */
@Command(
    name = "console",
    mixinStandardHelpOptions = true,
    description = {
      "Serves the web console until Ctrl-C or SIGTERM.",
      "Its own login (onceward.database.user, by default onceward_ops_read) only looks; operators sign"
          + " in with their own logins."
    },
    footer = {
      "",
      "Settings: onceward.console.port (default 8083), host, public-url, sample-interval,"
          + " session-idle, session-life.",
      "",
      "Examples:",
      "  onceward console --config ops.properties",
      "  ONCEWARD_CONSOLE_PORT=9000 onceward console"
    })
public final class ConsoleCommand implements Runnable {

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Properties file with onceward.database.url and the rest.")
  private @Nullable Path configFile;

  @Override
  public void run() {
    Path file = configFile;
    ConsoleMain.main(file == null ? new String[0] : new String[] {"--config", file.toString()});
  }
}
