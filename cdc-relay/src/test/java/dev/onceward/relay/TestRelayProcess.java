package dev.onceward.relay;

import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Relays in processes of their own, configured by the environment, as a container is, on a machine
 * that knows no UTF-8.
 */
final class TestRelayProcess {
  private TestRelayProcess() {}

  static ChildProcess start(String name, Map<String, String> settings, Path log) {
    return command(name, settings, log).start();
  }

  static ChildCommand command(String name, Map<String, String> settings, Path log) {
    return command(name, settings, log, 256);
  }

  static ChildCommand command(
      String name, Map<String, String> settings, Path log, int heapMegabytes) {
    ChildCommand command =
        ChildCommand.java(
                name,
                RelayMain.class.getName(),
                List.of(
                    "-Xmx" + heapMegabytes + "m",
                    "-XX:TieredStopAtLevel=1",
                    "-Dfile.encoding=ISO-8859-1"),
                List.of())
            .withOutput(log)
            .withEnvironment("LC_ALL", "C")
            .withEnvironment("ONCEWARD_SHUTDOWN_GRACE", "6s")
            .withEnvironment("ONCEWARD_RELAY_HEALTH_PORT", "0");
    for (Map.Entry<String, String> setting : settings.entrySet()) {
      command =
          command.withEnvironment(
              setting.getKey().replaceAll("[.-]", "_").toUpperCase(Locale.ROOT),
              setting.getValue());
    }
    return command;
  }
}
