package dev.onceward.local.cluster;

import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/** PostgreSQL and Kafka of one cluster, started side by side. Immutable once started. */
final class LocalServers implements AutoCloseable {

  private static final Duration CANCEL_LIMIT = Duration.ofSeconds(30);

  private final PostgresServer postgres;
  private final KafkaBroker kafka;

  private LocalServers(PostgresServer postgres, KafkaBroker kafka) {
    this.postgres = postgres;
    this.kafka = kafka;
  }

  /** Starts both; when one fails or the caller is interrupted, neither is left running. */
  static LocalServers start(DataDirectory data, ClusterPorts ports, Progress progress)
      throws InterruptedException {
    ExecutorService starters = Executors.newFixedThreadPool(2);
    Future<Timed<PostgresServer>> postgres =
        starters.submit(
            () -> Timed.of(() -> PostgresServer.start(postgresOptions(data, ports.postgres()))));
    Future<Timed<KafkaBroker>> kafka =
        starters.submit(() -> Timed.of(() -> KafkaBroker.start(kafkaOptions(data, ports.kafka()))));
    starters.shutdown();
    boolean complete = false;
    try {
      Timed<PostgresServer> startedPostgres = get(postgres);
      progress.done("PostgreSQL on port " + ports.postgres(), startedPostgres.took());
      Timed<KafkaBroker> startedKafka = get(kafka);
      progress.done("Kafka on port " + ports.kafka(), startedKafka.took());
      complete = true;
      return new LocalServers(startedPostgres.value(), startedKafka.value());
    } finally {
      if (!complete) {
        boolean interrupted = Thread.interrupted();
        starters.shutdownNow();
        var unused = starters.awaitTermination(CANCEL_LIMIT.toMillis(), TimeUnit.MILLISECONDS);
        closeIfStarted(kafka);
        closeIfStarted(postgres);
        if (interrupted) {
          Thread.currentThread().interrupt();
        }
      }
    }
  }

  PostgresServer postgres() {
    return postgres;
  }

  KafkaBroker kafka() {
    return kafka;
  }

  @Override
  public void close() {
    try (postgres) {
      kafka.close();
    }
  }

  private static PostgresOptions postgresOptions(DataDirectory data, int port) {
    Path directory = data.server("postgres");
    PostgresOptions options =
        directory == null ? PostgresOptions.temporary() : PostgresOptions.keptIn(directory);
    // The commit times let a timeline say when a transaction became visible.
    return options.withPort(port).withSetting("track_commit_timestamp", "on");
  }

  private static KafkaOptions kafkaOptions(DataDirectory data, int port) {
    Path directory = data.server("kafka");
    KafkaOptions options =
        directory == null ? KafkaOptions.temporary() : KafkaOptions.keptIn(directory);
    return options.withPort(port);
  }

  private static <T> T get(Future<T> future) throws InterruptedException {
    try {
      return future.get();
    } catch (ExecutionException failure) {
      if (failure.getCause() instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException("a server did not start", failure.getCause());
    }
  }

  private static void closeIfStarted(Future<? extends Timed<? extends AutoCloseable>> started) {
    if (!started.isDone() || started.isCancelled()) {
      return;
    }
    try {
      started.get().value().close();
    } catch (Exception notStarted) {
      // Its failure is already on its way to the caller, or it had nothing to close.
      return;
    }
  }

  /** A server and how long its start took. */
  private record Timed<T>(T value, Duration took) {
    static <T> Timed<T> of(Start<T> start) {
      long before = System.nanoTime();
      T value = start.start();
      return new Timed<>(value, Duration.ofNanos(System.nanoTime() - before));
    }
  }

  private interface Start<T> {
    T start();
  }
}
