package dev.onceward.worker;

import com.zaxxer.hikari.HikariDataSource;
import dev.onceward.db.Database;
import dev.onceward.process.HealthChecks;
import dev.onceward.process.HealthEndpoint;
import dev.onceward.process.ProcessMetrics;
import dev.onceward.process.SpanExport;
import dev.onceward.worker.claim.TaskMetrics;
import dev.onceward.worker.claim.TaskProcessor;
import dev.onceward.worker.claim.TaskTraces;
import dev.onceward.worker.consume.ConsumerOptions;
import dev.onceward.worker.consume.ConsumerStatus;
import dev.onceward.worker.consume.RecordConsumer;
import dev.onceward.worker.deadletter.DeadLetterPublisher;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandlerRegistry;
import dev.onceward.worker.retry.DatabaseStatus;
import dev.onceward.worker.retry.DueTaskLoop;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.lang.management.ManagementFactory;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.Set;
import java.util.UUID;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One worker, put together: consumer, due-task loop, task processor, health. {@link #start} and
 * {@link #stop} are called once each, by any thread.
 */
public final class Worker {

  private static final Logger log = LoggerFactory.getLogger(Worker.class);

  /** Of the grace time, what giving tasks back and leaving the group may take. */
  private static final Duration HAND_BACK = Duration.ofSeconds(6);

  private static final Duration LOOK = Duration.ofMillis(20);

  /** Process and host for people, the rest so that no other running worker has the same. */
  private final String name =
      ManagementFactory.getRuntimeMXBean().getName() + "/" + UUID.randomUUID();

  private final WorkerConfig config;
  private final PrometheusMeterRegistry metrics = ProcessMetrics.registry("onceward-workers");
  private final HealthChecks checks;
  private final SpanExport spans;
  private final HikariDataSource pool;
  private final DatabaseStatus database = new DatabaseStatus();
  private final BrokerProbe broker;
  private final DeadLetterPublisher deadLetters;
  private final TaskProcessor tasks;
  private final RecordConsumer consumer;
  private final DueTaskLoop dueTasks;
  private final HealthEndpoint endpoint;

  /**
   * Makes a worker that does nothing yet, apart from answering health requests.
   *
   * @throws dev.onceward.worker.handle.HandlerRegistrationException if handlers contradict each
   *     other
   * @throws dev.onceward.process.StartupException if the health port is taken
   */
  public Worker(
      WorkerConfig config, Collection<? extends EventHandler> handlers, HealthChecks checks) {
    this.config = config;
    this.checks = checks;
    spans = new SpanExport("onceward-workers", config.tracingEndpoint());
    HandlerRegistry registry = HandlerRegistry.of(handlers);
    pool = DatabasePool.open(config, metrics);
    Database transactions = new Database(pool);
    deadLetters = new DeadLetterPublisher(config.kafka(), config.groupId(), Clock.systemUTC());
    TaskMetrics taskMetrics = new TaskMetrics(metrics);
    registry.types().forEach(type -> taskMetrics.expect(type.eventType()));
    tasks =
        new TaskProcessor(
            transactions,
            name,
            config.times(),
            config.batch(),
            database,
            taskMetrics,
            new TaskTraces(spans.tracer()));
    Set<String> topics =
        registry.types().stream()
            .map(type -> config.topicNames().topicOf(type.eventType(), type.aggregateType()))
            .collect(Collectors.toSet());
    DeadLetters setAside = new DeadLetters(deadLetters, metrics);
    topics.forEach(setAside::expect);
    RecordIntake intake =
        new RecordIntake(
            registry,
            tasks,
            setAside,
            config.unknownTypes(),
            config.order(),
            Clock.systemUTC(),
            config.recent());
    broker = new BrokerProbe(config.kafka(), topics);
    consumer =
        new RecordConsumer(
            new ConsumerOptions(
                config.consumer(),
                config.kafka(),
                config.groupId(),
                topics,
                config.concurrency(),
                config.bufferRecords(),
                config.drain()),
            intake);
    dueTasks =
        new DueTaskLoop(
            transactions,
            registry.operationKinds(),
            Math.max(2, config.concurrency() / 2),
            config.dueInterval(),
            new DueTaskTaker(transactions, registry, tasks, database),
            database);
    log.info("{} handles {} from {}", name, registry, topics);
    Duration longestAttempt =
        handlers.stream()
            .map(EventHandler::timeout)
            .map(own -> own == null ? config.times().handlerTimeout() : own)
            .max(Duration::compareTo)
            .orElse(config.times().handlerTimeout());
    endpoint = serveHealth(topics, longestAttempt);
  }

  private void measureLag(String topic) {
    Gauge.builder("onceward.worker.lag.records", () -> consumer.status().lagRecords(topic))
        .description("Records of the partitions held here that are not finished")
        .tag("topic", topic)
        .register(metrics);
    Gauge.builder(
            "onceward.worker.lag.seconds",
            () -> consumer.status().lag(topic, Clock.systemUTC()).toMillis() / 1000.0)
        .description("How long ago the oldest unfinished record in hand was sent")
        .tag("topic", topic)
        .register(metrics);
  }

  private HealthEndpoint serveHealth(Set<String> topics, Duration longestAttempt) {
    WorkerHealth.register(
        checks,
        database,
        broker,
        consumer.status(),
        deadLetters,
        tasks,
        config.concurrency(),
        longestAttempt.plus(config.standstill()));
    topics.forEach(this::measureLag);
    FunctionCounter.builder(
            "onceward.worker.records.missed", consumer.status(), ConsumerStatus::missedRecords)
        .description("Records that Kafka had deleted before they were read")
        .register(metrics);
    Gauge.builder("onceward.worker.buffered", consumer::buffered)
        .description("Records in hand: running or waiting")
        .register(metrics);
    return HealthEndpoint.start(
        config.healthHost(), config.healthPort(), WorkerConfig.HEALTH_PORT, checks, metrics);
  }

  /**
   * Begins to work once the database answers; Kafka need not be there yet.
   *
   * @param giveUp ends the wait for the database
   * @throws dev.onceward.process.StartupException if the database refuses the role
   */
  public void start(BooleanSupplier giveUp) throws InterruptedException {
    broker.start();
    while (!StartCheck.passes(pool, config, database)) {
      if (giveUp.getAsBoolean()) {
        return;
      }
      Thread.sleep(LOOK.toMillis());
    }
    tasks.start();
    consumer.start();
    dueTasks.start();
  }

  /** Where health and metrics are served. */
  public int healthPort() {
    return endpoint.port();
  }

  /**
   * Stops: begins nothing new, lets what runs end while there is time, gives the rest back, commits
   * what is finished, leaves the group.
   *
   * @param grace the time for all of that
   */
  public void stop(Duration grace) throws InterruptedException {
    long end = System.nanoTime() + grace.toNanos();
    dueTasks.stopTaking();
    consumer.stopTaking();
    awaitNoneInFlight(end - HAND_BACK.toNanos());
    if (tasks.inFlight() > 0) {
      log.info("{} tasks do not end in time and go back to the queue", tasks.inFlight());
    }
    tasks.handBack();
    awaitNoneInFlight(end - HAND_BACK.toNanos() / 2);
    consumer.close(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    dueTasks.close();
    tasks.close();
    deadLetters.close();
    broker.close();
    pool.close();
    endpoint.close();
    spans.close();
    metrics.close();
  }

  private void awaitNoneInFlight(long untilNanos) throws InterruptedException {
    while (tasks.inFlight() > 0 && System.nanoTime() - untilNanos < 0) {
      Thread.sleep(LOOK.toMillis());
    }
  }
}
