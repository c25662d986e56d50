package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.Database;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.RawJson;
import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.RecordBuilder;
import dev.onceward.event.route.TopicNames;
import dev.onceward.process.HealthChecks;
import dev.onceward.process.Settings;
import dev.onceward.worker.handle.EventHandler;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** A database, topics, and the test in the place of API and relay. */
final class WorkerWorld implements AutoCloseable {

  static final Duration LIMIT = Duration.ofSeconds(60);
  static final Duration GRACE = Duration.ofSeconds(10);

  private final MigratedDatabase database;
  private final TestTopics topics;
  private final Database app;
  private final Tenant tenant;
  private final int partitions;
  private final KafkaProducer<byte[], byte[]> producer;
  private final List<RunningWorker> workers = new CopyOnWriteArrayList<>();

  /** A worker that was started, with its health. */
  record RunningWorker(Worker worker, HealthChecks health) {}

  WorkerWorld(PostgresServer server, TestTopics topics, int partitions) throws SQLException {
    this.database = MigratedDatabase.create(server);
    this.topics = topics;
    this.partitions = partitions;
    this.app = database.app();
    this.tenant = database.newTenant();
    topics.create(ScriptedHandler.AGGREGATE_TYPE, partitions);
    this.producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", topics.bootstrapServers(), "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  MigratedDatabase database() {
    return database;
  }

  Database app() {
    return app;
  }

  Tenant tenant() {
    return tenant;
  }

  String topic() {
    return topics.name(ScriptedHandler.AGGREGATE_TYPE);
  }

  /** A task that is not written yet. */
  static NewTask task(String aggregateId) {
    return NewTask.of(
        ScriptedHandler.KIND,
        NewEvent.of(
            ScriptedHandler.EVENT_TYPE, ScriptedHandler.AGGREGATE_TYPE, aggregateId, "{\"n\":1}"));
  }

  static NewTask withMaxAttempts(NewTask task, int maxAttempts) {
    return new NewTask(task.operationId(), task.kind(), maxAttempts, task.event());
  }

  /** Writes tasks as the API does. */
  void write(NewTask... tasks) throws SQLException {
    app.inWorkspace(
        tenant.workspaceId(),
        connection -> {
          for (NewTask task : tasks) {
            TaskWriter.append(connection, task);
          }
          return true;
        });
  }

  /** Sends a written task's event as the relay does. */
  void send(NewTask task) throws Exception {
    send(row(task));
  }

  /** Sends the events of many written tasks, waiting for all at the end. */
  void sendAll(NewTask... tasks) {
    for (NewTask task : tasks) {
      var unused = producer.send(record(row(task)));
    }
    producer.flush();
  }

  /** The record's key and value of a written task, for a partition of the test's choice. */
  void send(int partition, NewTask task) throws Exception {
    ProducerRecord<byte[], byte[]> record = record(row(task));
    send(partition, record.key(), record.value(), record.headers());
  }

  private OutboxRow row(NewTask task) {
    NewEvent event = task.event();
    return new OutboxRow(
        event.id(),
        tenant.workspaceId(),
        event.eventType(),
        event.payloadVersion(),
        event.aggregateType(),
        event.aggregateId(),
        event.resourceType(),
        event.resourceId(),
        event.businessKey(),
        event.requestId(),
        event.correlationId(),
        event.traceparent(),
        RawJson.of(event.payload()));
  }

  void send(OutboxRow row) throws Exception {
    producer.send(record(row)).get();
  }

  private ProducerRecord<byte[], byte[]> record(OutboxRow row) {
    EventRecord record =
        new RecordBuilder(
                TopicNames.withPrefix(topics.prefix()), Partitioner.AGGREGATE, topic -> partitions)
            .build(row);
    return new ProducerRecord<>(
        record.topic(), record.partition(), record.key(), record.value(), record.headers());
  }

  /** Sends any record to the topic. */
  void send(int partition, byte @Nullable [] key, byte @Nullable [] value, Iterable<Header> headers)
      throws Exception {
    producer.send(new ProducerRecord<>(topic(), partition, key, value, headers)).get();
  }

  void writeAndSend(NewTask... tasks) throws Exception {
    write(tasks);
    for (NewTask task : tasks) {
      send(task);
    }
  }

  /** A worker's settings, fit for tests; later pairs win. */
  Map<String, String> settings(String... pairs) {
    Map<String, String> settings = new HashMap<>();
    settings.put("onceward.database.url", database.url());
    settings.put("onceward.database.user", "onceward_app");
    settings.put("onceward.database.password", MigratedDatabase.PASSWORD);
    settings.put("onceward.kafka.bootstrap.servers", topics.bootstrapServers());
    settings.put("onceward.kafka.session.timeout.ms", "6000");
    settings.put("onceward.kafka.heartbeat.interval.ms", "500");
    settings.put("onceward.topic-prefix", topics.prefix());
    settings.put("onceward.credential-keys", "k1:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=");
    settings.put("onceward.worker.platform-url", "http://127.0.0.1:9");
    settings.put("onceward.worker.health-host", "127.0.0.1");
    settings.put("onceward.worker.health-port", "0");
    settings.put("onceward.worker.group-id", topics.prefix() + "workers");
    settings.put("onceward.worker.due-interval", "100ms");
    settings.put("onceward.worker.retry-first", "100ms");
    settings.put("onceward.worker.retry-cap", "300ms");
    for (int i = 0; i < pairs.length; i += 2) {
      settings.put(pairs[i], pairs[i + 1]);
    }
    return settings;
  }

  RunningWorker start(EventHandler handler, String... pairs) throws InterruptedException {
    return start(List.of(handler), pairs);
  }

  RunningWorker start(List<EventHandler> handlers, String... pairs) throws InterruptedException {
    HealthChecks health = new HealthChecks();
    Worker worker = new Worker(WorkerConfig.from(Settings.of(settings(pairs))), handlers, health);
    RunningWorker running = new RunningWorker(worker, health);
    workers.add(running);
    worker.start(() -> false);
    return running;
  }

  /** The workers that were started here and not stopped. */
  List<RunningWorker> workers() {
    return workers;
  }

  void stop(RunningWorker running) throws InterruptedException {
    workers.remove(running);
    running.worker().stop(GRACE);
  }

  /** Asks a worker's health endpoint. */
  String get(RunningWorker running, String path) throws Exception {
    URI uri = URI.create("http://127.0.0.1:" + running.worker().healthPort() + path);
    return HttpClient.newHttpClient()
        .send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
        .body();
  }

  Operation find(NewTask task) throws SQLException {
    return app.inWorkspace(
            tenant.workspaceId(), connection -> OperationStore.find(connection, task.operationId()))
        .orElseThrow();
  }

  /** The tasks' operations, in no order. */
  List<Operation> findAll(NewTask... tasks) throws SQLException {
    return app.inWorkspace(
        tenant.workspaceId(),
        connection -> {
          List<Operation> operations = new ArrayList<>();
          for (NewTask task : tasks) {
            operations.add(OperationStore.find(connection, task.operationId()).orElseThrow());
          }
          return operations;
        });
  }

  OperationState state(NewTask task) throws SQLException {
    return find(task).state();
  }

  void awaitState(OperationState state, NewTask... tasks) {
    UUID[] ids = Arrays.stream(tasks).map(NewTask::operationId).toArray(UUID[]::new);
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () -> assertThat(states(ids)).isEqualTo(Map.of(state.label(), tasks.length)));
  }

  /** How many of the operations are in each state. */
  private Map<String, Integer> states(UUID[] ids) throws SQLException {
    String sql =
        "SELECT state, count(*) FROM onceward.operations WHERE id = ANY (?) GROUP BY state";
    Map<String, Integer> counts = new HashMap<>();
    try (Connection superuser = database.superuser();
        PreparedStatement statement = superuser.prepareStatement(sql)) {
      statement.setArray(1, superuser.createArrayOf("uuid", ids));
      try (ResultSet row = statement.executeQuery()) {
        while (row.next()) {
          counts.put(row.getString(1), row.getInt(2));
        }
      }
    }
    return counts;
  }

  /** The workers' committed topic offset of a partition; 0 if there is none. */
  long committed(int partition) {
    OffsetAndMetadata committed =
        committed(topics.prefix() + "workers").get(new TopicPartition(topic(), partition));
    return committed == null ? 0 : committed.offset();
  }

  /** The sum of a group's committed topic offsets. */
  long committedTotal(String group) {
    return committed(group).values().stream().mapToLong(OffsetAndMetadata::offset).sum();
  }

  private Map<TopicPartition, OffsetAndMetadata> committed(String group) {
    try {
      return topics
          .admin()
          .listConsumerGroupOffsets(group)
          .partitionsToOffsetAndMetadata()
          .get(10, TimeUnit.SECONDS);
    } catch (InterruptedException | ExecutionException | TimeoutException failure) {
      throw new IllegalStateException(failure);
    }
  }

  @Override
  public void close() throws Exception {
    for (RunningWorker running : List.copyOf(workers)) {
      stop(running);
    }
    producer.close(Duration.ZERO);
    database.close();
  }
}
