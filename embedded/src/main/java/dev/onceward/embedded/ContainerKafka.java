package dev.onceward.embedded;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Kafka in a container. Thread-safe: every change of state holds the monitor. */
final class ContainerKafka implements KafkaBroker {
  static final String IMAGE = "apache/kafka:4.3.0";
  private static final int INNER_PORT = 9092;
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);

  private final KafkaOptions options;
  private final String host = ServerContainer.host();
  private final int port;
  private final ServerContainer container;

  private ContainerKafka(KafkaOptions options) {
    this.options = options;
    this.port = options.port() == 0 ? FreePorts.next() : options.port();
    Map<String, String> environment = new LinkedHashMap<>();
    KafkaSettings.forContainer(options.settings(), host, port, INNER_PORT)
        .forEach((name, value) -> environment.put(variable(name), value));
    environment.put("KAFKA_HEAP_OPTS", String.join(" ", options.jvmArguments()));
    // Kafka's scripts would add their own collector to ours, and the JVM refuses two.
    environment.put("KAFKA_JVM_PERFORMANCE_OPTS", "-Djava.awt.headless=true");
    this.container = new ServerContainer("Kafka", IMAGE, INNER_PORT, port, environment, List.of());
  }

  static ContainerKafka started(KafkaOptions options) {
    ContainerKafka broker = new ContainerKafka(options);
    try {
      broker.start();
      return broker;
    } catch (RuntimeException e) {
      broker.close();
      throw e;
    }
  }

  /** The image's rule: upper case, a dot is one underscore, an underscore two, a hyphen three. */
  static String variable(String setting) {
    return "KAFKA_"
        + setting.replace("_", "__").replace("-", "___").replace(".", "_").toUpperCase(Locale.ROOT);
  }

  @Override
  public String bootstrapServers() {
    return host + ":" + port;
  }

  @Override
  public boolean isRunning() {
    return container.isRunning();
  }

  @Override
  public synchronized void start() {
    if (!isRunning()) {
      container.start();
      KafkaReadiness.await(host, port, container, options.startLimit());
    }
  }

  @Override
  public synchronized void stop() {
    if (!isRunning()) {
      return;
    }
    container.send(Signal.TERM);
    if (!container.awaitExit(STOP_LIMIT)) {
      throw new InfrastructureException(
          "Kafka, %s, still runs %d s after it was asked to stop (a suspended one must be resumed first)."
              .formatted(container.place(), STOP_LIMIT.toSeconds()));
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
    return "Kafka on " + bootstrapServers() + " in " + container.place();
  }
}
