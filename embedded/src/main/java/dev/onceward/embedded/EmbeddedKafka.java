package dev.onceward.embedded;

import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** Kafka as a child JVM. Thread-safe: every change of state holds the monitor. */
final class EmbeddedKafka implements KafkaBroker {
  private static final String NAME = "kafka";
  private static final Duration STOP_LIMIT = Duration.ofSeconds(60);
  private static final int PORT_TRIES = 3;
  private static final int TAIL_LINES = 30;

  private final KafkaOptions options;
  private final WorkDirectory work;
  private volatile int port;
  private int controllerPort;
  private volatile @Nullable ChildProcess broker;
  private boolean closed;

  private EmbeddedKafka(KafkaOptions options, WorkDirectory work) {
    this.options = options;
    this.work = work;
  }

  static EmbeddedKafka started(KafkaOptions options) {
    if (options.port() != 0) {
      FreePorts.requireFree(options.port(), NAME);
    }
    WorkDirectory work = WorkDirectory.open(options.directory(), NAME);
    try {
      EmbeddedKafka kafka = new EmbeddedKafka(options, work);
      kafka.startFirst();
      return kafka;
    } catch (RuntimeException e) {
      work.close();
      throw e;
    }
  }

  private synchronized void startFirst() {
    for (int attempt = 1; ; attempt++) {
      port = options.port() == 0 ? FreePorts.next() : options.port();
      controllerPort = FreePorts.next();
      try {
        start();
        return;
      } catch (InfrastructureException e) {
        boolean portLost = !FreePorts.isFree(controllerPort) || !FreePorts.isFree(port);
        if (attempt == PORT_TRIES || !portLost) {
          throw e;
        }
        // another process took a port first: take others
      }
    }
  }

  @Override
  public String bootstrapServers() {
    return "127.0.0.1:" + port;
  }

  @Override
  public boolean isRunning() {
    ChildProcess child = broker;
    return child != null && child.isAlive();
  }

  @Override
  public synchronized void start() {
    if (closed) {
      throw new IllegalStateException("This Kafka broker has been closed.");
    }
    if (isRunning()) {
      return;
    }
    FreePorts.requireFree(port, NAME);
    FreePorts.requireFree(controllerPort, NAME + "'s controller");
    Path settings = writeSettings();
    List<String> jvmArguments = new ArrayList<>(options.jvmArguments());
    jvmArguments.add("-Dlogback.configurationFile=dev/onceward/embedded/kafka-logback.xml");
    ChildProcess child =
        ChildCommand.java(
                NAME, KafkaBrokerMain.class.getName(), jvmArguments, List.of(settings.toString()))
            .withOutput(work.resolve("kafka.log"))
            .start();
    broker = child;
    try {
      KafkaReadiness.await(
          "127.0.0.1", port, new Starting(child, work.path()), options.startLimit());
    } catch (RuntimeException e) {
      child.kill();
      throw e;
    }
  }

  private Path writeSettings() {
    Path file = work.resolve("server.properties");
    Properties properties = new Properties();
    properties.putAll(
        KafkaSettings.forProcess(options.settings(), work.resolve("data"), port, controllerPort));
    try (Writer writer = Files.newBufferedWriter(file)) {
      properties.store(writer, "Written at each start; changes here are lost.");
      return file;
    } catch (IOException e) {
      throw new InfrastructureException(
          "The settings of Kafka cannot be written to %s.".formatted(file), e);
    }
  }

  /** How the readiness check sees the child. */
  private record Starting(ChildProcess child, Path directory) implements StartingServer {
    @Override
    public boolean awaitExit(Duration limit) {
      return child.awaitExit(limit);
    }

    @Override
    public String place() {
      return "in %s with the log %s".formatted(directory, child.output());
    }

    @Override
    public InfrastructureException ended() {
      return new InfrastructureException(
          "Kafka in %s ended while starting. Its last words:%n%s"
              .formatted(directory, String.join("\n", child.outputTail(TAIL_LINES))));
    }
  }

  @Override
  public synchronized void stop() {
    ChildProcess child = broker;
    if (child != null && !child.stop(STOP_LIMIT)) {
      throw new InfrastructureException(
          "Kafka on %s still runs %d s after it was asked to stop (a suspended one must be resumed first)."
              .formatted(bootstrapServers(), STOP_LIMIT.toSeconds()));
    }
  }

  @Override
  public synchronized void kill() {
    ChildProcess child = broker;
    if (child != null) {
      child.kill();
    }
  }

  @Override
  public void suspend() {
    running().suspend();
  }

  @Override
  public void resume() {
    running().resume();
  }

  private ChildProcess running() {
    ChildProcess child = broker;
    if (child == null || !child.isAlive()) {
      throw new IllegalStateException("Kafka on " + bootstrapServers() + " does not run.");
    }
    return child;
  }

  @Override
  public String logTail() {
    ChildProcess child = broker;
    return child == null ? "" : String.join("\n", child.outputTail(TAIL_LINES));
  }

  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    ChildProcess child = broker;
    if (child != null && work.isTemporary()) {
      child.kill(); // nothing of it will be read again
    } else if (child != null) {
      child.close();
    }
    work.close();
  }

  @Override
  public String toString() {
    return "Kafka on " + bootstrapServers() + " in " + work.path();
  }
}
