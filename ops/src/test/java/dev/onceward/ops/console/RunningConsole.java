package dev.onceward.ops.console;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.ops.SentEvents;
import dev.onceward.process.Settings;
import dev.onceward.process.Shutdown;
import java.net.URI;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** A console over a test's pipeline, on a free port. */
final class RunningConsole implements AutoCloseable {
  private final ConsoleServer server;

  private RunningConsole(ConsoleServer server) {
    this.server = server;
  }

  static RunningConsole over(SentEvents world) {
    return over(world, Map.of());
  }

  /** With settings that win over the usual ones. */
  static RunningConsole over(SentEvents world, Map<String, String> settings) {
    Map<String, String> all = new HashMap<>();
    all.put("onceward.database.url", world.database().url());
    all.put("onceward.database.password", MigratedDatabase.PASSWORD);
    all.put("onceward.kafka.bootstrap.servers", world.topics().bootstrapServers());
    all.put("onceward.topic-prefix", world.topics().prefix());
    all.put("onceward.console.host", "127.0.0.1");
    all.put("onceward.console.port", "0");
    all.put("onceward.console.sample-interval", "500ms");
    all.putAll(settings);
    return new RunningConsole(
        ConsoleServer.start(
            ConsoleConfig.from(Settings.of(all)), new Shutdown(Duration.ofSeconds(5))));
  }

  URI address() {
    return server.localAddress();
  }

  @Override
  public void close() {
    server.close();
  }
}
