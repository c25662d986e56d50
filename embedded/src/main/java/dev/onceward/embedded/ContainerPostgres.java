package dev.onceward.embedded;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/** PostgreSQL in a container. Thread-safe: every change of state holds the monitor. */
final class ContainerPostgres implements PostgresServer {
  static final String IMAGE = "postgres:17";
  private static final String SUPERUSER = "postgres";
  private static final int INNER_PORT = 5432;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private final PostgresOptions options;
  private final String host = ServerContainer.host();
  private final int port;
  private final String password = UUID.randomUUID().toString();
  private final ServerContainer container;

  private ContainerPostgres(PostgresOptions options) {
    this.options = options;
    this.port = options.port() == 0 ? FreePorts.next() : options.port();
    List<String> command = new ArrayList<>(List.of("postgres"));
    PostgresSettings.withDefaults(options.settings())
        .forEach((name, value) -> command.addAll(List.of("-c", name + "=" + value)));
    this.container =
        new ServerContainer(
            "PostgreSQL",
            IMAGE,
            INNER_PORT,
            port,
            Map.of("POSTGRES_USER", SUPERUSER, "POSTGRES_PASSWORD", password),
            command);
  }

  static ContainerPostgres started(PostgresOptions options) {
    ContainerPostgres server = new ContainerPostgres(options);
    try {
      server.start();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  @Override
  public String host() {
    return host;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public String superuser() {
    return SUPERUSER;
  }

  @Override
  public String superuserPassword() {
    return password;
  }

  @Override
  public boolean isRunning() {
    return container.isRunning();
  }

  @Override
  public synchronized void start() {
    if (!isRunning()) {
      container.start();
      PostgresReadiness.await(this, container, options.startLimit());
    }
  }

  @Override
  public synchronized void stop(ShutdownMode mode) {
    if (!isRunning()) {
      return;
    }
    container.send(mode.signal());
    if (!container.awaitExit(STOP_LIMIT)) {
      throw new InfrastructureException(
          "PostgreSQL, %s, still runs %d s after a %s shutdown was asked for."
              .formatted(container.place(), STOP_LIMIT.toSeconds(), mode));
    }
  }

  @Override
  public synchronized void kill() {
    if (isRunning()) {
      container.send(Signal.KILL);
      container.awaitExit(STOP_LIMIT);
    }
  }

  @Override
  public void suspend() {
    container.pause();
  }

  @Override
  public void resume() {
    container.unpause();
  }

  @Override
  public String logTail() {
    return container.logTail();
  }

  @Override
  public synchronized void close() {
    container.close();
  }

  @Override
  public String toString() {
    return "PostgreSQL on port " + port + " in " + container.place();
  }
}
