package dev.onceward.ops.console.pipeline;

import dev.onceward.db.relay.RelayControl;
import dev.onceward.db.relay.RelayRefusedException;
import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.ops.DatabaseFailures;
import dev.onceward.ops.kafka.KafkaFailures;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.ops.offsets.OffsetsReader;
import dev.onceward.ops.offsets.PipelinePositions;
import dev.onceward.ops.status.PipelineStatus;
import dev.onceward.ops.status.PipelineStatusStore;
import dev.onceward.process.Health;
import dev.onceward.process.HealthCheck;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks at database and Kafka again and again. Thread-safe: the two loops have a thread each, and
 * whoever asks gets the last look. It is also the health check {@code database}.
 */
public final class PipelineWatch implements HealthCheck, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PipelineWatch.class);

  /** A look may take a tenth of the time at most. */
  private static final int PAUSE_FACTOR = 9;

  private static final Duration COMMIT_SLACK = Duration.ofSeconds(1);

  private final Login login;
  private final RelayRouting routing;
  private final Duration interval;
  private final ScheduledExecutorService threads =
      Executors.newScheduledThreadPool(
          2,
          task -> {
            Thread thread = new Thread(task, "console-watch");
            thread.setDaemon(true);
            return thread;
          });
  private final SampleHistory history = new SampleHistory();
  private volatile DatabaseLook database = new DatabaseLook(null, null, "not asked yet");
  private volatile KafkaLook kafka = new KafkaLook(null, "not asked yet");
  private volatile Set<String> pinnedTopics = Set.of();
  private @Nullable Connection connection;
  private @Nullable Admin admin;
  private @Nullable Instant lookedUpTo;

  /** Opens the connection of the process's own login. */
  @FunctionalInterface
  public interface Login {
    Connection open() throws SQLException;
  }

  /**
   * Nothing is looked at until it is started.
   *
   * @param interval the pause between two looks, if they are quick
   */
  public PipelineWatch(Login login, RelayRouting routing, Duration interval) {
    this.login = login;
    this.routing = routing;
    this.interval = interval;
  }

  /** Starts both loops. */
  public void start() {
    threads.execute(() -> loop(this::lookAtDatabase));
    threads.execute(() -> loop(this::lookAtKafka));
  }

  /** What the database said last. */
  public DatabaseLook database() {
    return database;
  }

  /** What Kafka said last. */
  public KafkaLook kafka() {
    return kafka;
  }

  /** The last hour. */
  public SampleHistory history() {
    return history;
  }

  private void loop(Runnable look) {
    long begun = System.nanoTime();
    try {
      look.run();
    } catch (RuntimeException e) {
      LOG.warn("a look at the pipeline failed; the next one comes all the same", e);
    }
    long took = System.nanoTime() - begun;
    if (!threads.isShutdown()) {
      var unused =
          threads.schedule(
              () -> loop(look),
              Math.max(interval.toNanos(), took * PAUSE_FACTOR),
              TimeUnit.NANOSECONDS);
    }
  }

  /** One look at the database; its thread's own. */
  void lookAtDatabase() {
    try {
      Connection open = connection;
      if (open == null) {
        open = login.open();
        connection = open;
      }
      PipelineStatus status = new PipelineStatusStore(open).read(routing.relay());
      RelayControl.Relay relay = relay(open);
      pinnedTopics =
          new TreeSet<>(new RelayStateStore(routing.relay()).pinnedPartitions(open).keySet());
      sample(open, status);
      open.rollback();
      database = new DatabaseLook(status, relay, null);
    } catch (SQLException e) {
      StartupException known = DatabaseFailures.classify(e);
      database =
          new DatabaseLook(
              null, null, known == null ? "SQLSTATE " + e.getSQLState() : known.getMessage());
      lookedUpTo = null;
      closeConnection();
    }
  }

  private RelayControl.@Nullable Relay relay(Connection open) throws SQLException {
    try {
      return RelayControl.look(open, routing.relay());
    } catch (RelayRefusedException noneHasRun) {
      return null;
    }
  }

  private void sample(Connection open, PipelineStatus status) throws SQLException {
    Instant to = status.at().minus(COMMIT_SLACK);
    Instant from = lookedUpTo;
    lookedUpTo = to;
    if (from == null || !from.isBefore(to)) {
      return;
    }
    double seconds = Duration.between(from, to).toNanos() / 1e9;
    RateStore.Ended ended = RateStore.ended(open, from, to);
    PipelineStatus.Relay relay = status.relay();
    Instant delivered = relay == null ? null : relay.deliveredAt();
    history.add(
        new Sample(
            status.at(),
            RateStore.events(open, from, to) / seconds,
            ended.count() / seconds,
            delivered == null ? null : secondsBetween(delivered, status.at()),
            ended.median(),
            ended.p95()));
  }

  static double secondsBetween(Instant from, Instant to) {
    return Math.max(0, Duration.between(from, to).toMillis() / 1000.0);
  }

  /** One look at Kafka; its thread's own. */
  void lookAtKafka() {
    try {
      Admin open = admin;
      if (open == null) {
        open = routing.kafka().admin();
        admin = open;
      }
      Set<String> own = new TreeSet<>(pinnedTopics);
      own.addAll(routing.topicNames().routes().values());
      kafka =
          new KafkaLook(
              new OffsetsReader(open, routing.topicNames().prefix(), List.of())
                  .read(new PipelinePositions(null, null, null), own),
              null);
    } catch (StartupException away) {
      kafka = new KafkaLook(null, String.valueOf(away.getMessage()));
    } catch (KafkaException failure) {
      StartupException known = KafkaFailures.classify(failure);
      kafka =
          new KafkaLook(
              null,
              known == null
                  ? failure.getClass().getSimpleName()
                  : String.valueOf(known.getMessage()));
    }
  }

  private void closeConnection() {
    Connection open = connection;
    connection = null;
    if (open != null) {
      try {
        open.close();
      } catch (SQLException gone) {
        LOG.debug("a broken connection could not be closed", gone);
      }
    }
  }

  @Override
  public String name() {
    return "database";
  }

  @Override
  public Health check() {
    String failure = database.failure();
    return failure == null ? Health.up() : Health.down(failure);
  }

  @Override
  public void close() {
    threads.shutdownNow();
    try {
      if (!threads.awaitTermination(6, TimeUnit.SECONDS)) {
        LOG.debug("a look at the pipeline goes on past the end");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    closeConnection();
    Admin open = admin;
    if (open != null) {
      open.close(Duration.ZERO);
    }
  }
}
