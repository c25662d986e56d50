package dev.onceward.ops;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.Partitioner;
import dev.onceward.event.route.RecordBuilder;
import dev.onceward.event.route.TopicNames;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * A database whose events count as sent, and the topics that they count as sent to: {@code order}
 * with 6 partitions and {@code thing} with 3. Confined to the test's thread.
 */
public final class SentEvents implements AutoCloseable {

  static final int ORDER_PARTITIONS = 6;
  static final int THING_PARTITIONS = 3;

  private static final String WRITE =
      """
      INSERT INTO onceward.outbox_events (event_type, aggregate_type, aggregate_id, resource_type, resource_id,
        business_key, request_id, correlation_id, traceparent, payload)
      SELECT ? || '.placed', ?, 'a' || i % 50, 'order', 'r' || i, CASE WHEN i % 2 = 0 THEN 'key ' || i END,
        CASE WHEN i % 3 = 0 THEN 'request-' || i END, CASE WHEN i % 5 = 0 THEN 'c' || i END,
        CASE WHEN i % 7 = 0 THEN '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' END,
        ('{ "n" :' || i || ',"price":10.50,  "name":"Gölbaşı 😀 \\u00e7", "n2":1e2}')::json
      FROM generate_series(1, ?) AS i
      RETURNING id
      """;

  private final MigratedDatabase database;
  private final TestTopics topics;
  private final String config;
  private @Nullable KafkaProducer<byte[], byte[]> producer;

  public SentEvents(PostgresServer server, TestTopics topics, Path directory) throws Exception {
    this.database = MigratedDatabase.create(server);
    this.topics = topics;
    topics.create("order", ORDER_PARTITIONS);
    topics.create("thing", THING_PARTITIONS);
    this.config =
        OpsConfig.write(directory, database.url(), "onceward_ops", MigratedDatabase.PASSWORD);
    Files.writeString(
        Path.of(config),
        "onceward.kafka.bootstrap.servers="
            + topics.bootstrapServers()
            + "\nonceward.topic-prefix="
            + topics.prefix()
            + "\n",
        StandardOpenOption.APPEND);
    superuser(
        "INSERT INTO onceward.relay_state (relay, topic_partitions) VALUES ('onceward', '{\""
            + topics.name("order")
            + "\": 6, \""
            + topics.name("thing")
            + "\": 3}')");
  }

  public MigratedDatabase database() {
    return database;
  }

  /** The broker and the prefix. */
  public TestTopics topics() {
    return topics;
  }

  String config() {
    return config;
  }

  public String topic(String suffix) {
    return topics.name(suffix);
  }

  Set<String> topicNames() throws Exception {
    return topics.admin().listTopics().names().get();
  }

  /** Writes events of a type in one transaction; they are pending. */
  public List<UUID> write(Tenant tenant, String aggregateType, int count) throws SQLException {
    try (Connection connection = database.connect("onceward_app")) {
      connection.setAutoCommit(false);
      WorkspaceContext.set(connection, tenant.workspaceId());
      List<UUID> ids = new ArrayList<>();
      try (PreparedStatement statement = connection.prepareStatement(WRITE)) {
        statement.setString(1, aggregateType);
        statement.setString(2, aggregateType);
        statement.setInt(3, count);
        try (ResultSet row = statement.executeQuery()) {
          while (row.next()) {
            ids.add(row.getObject(1, UUID.class));
          }
        }
      }
      connection.commit();
      return ids;
    }
  }

  /** From now on all that is committed counts as sent. */
  public void audit() throws SQLException {
    superuser(
        "UPDATE onceward.relay_state SET delivered_snapshot = pg_current_snapshot(),"
            + " audited_snapshot = pg_current_snapshot(), delivered_at = now(), audited_at = now()");
  }

  /** The records that the relay makes of these events. */
  List<EventRecord> originals(List<UUID> ids) throws SQLException {
    RecordBuilder builder =
        new RecordBuilder(
            TopicNames.withPrefix(topics.prefix()),
            Partitioner.AGGREGATE,
            topic -> topic.equals(topic("order")) ? ORDER_PARTITIONS : THING_PARTITIONS);
    List<EventRecord> records = new ArrayList<>();
    try (Connection connection = database.connect("onceward_ops")) {
      for (UUID id : ids) {
        records.add(builder.build(OutboxReader.find(connection, id).orElseThrow()));
      }
    }
    return records;
  }

  /** All that a topic holds, partition after partition. */
  List<ConsumerRecord<byte[], byte[]>> records(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", topics.bootstrapServers(), "max.poll.records", "10000"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        consumer.poll(Duration.ofMillis(500)).forEach(records::add);
      }
      return records;
    }
  }

  /** How many records a topic has got. */
  public long endTotal(String topic) {
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", topics.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      return consumer.endOffsets(partitions).values().stream().mapToLong(Long::longValue).sum();
    }
  }

  /** Sends a record with a time of its own. */
  void send(String topic, int partition, String key, Instant at) throws Exception {
    producer()
        .send(
            new ProducerRecord<>(
                topic,
                partition,
                at.toEpochMilli(),
                key.getBytes(StandardCharsets.UTF_8),
                new byte[] {1}))
        .get();
  }

  private KafkaProducer<byte[], byte[]> producer() {
    KafkaProducer<byte[], byte[]> present = producer;
    if (present == null) {
      present =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", topics.bootstrapServers()),
              new ByteArraySerializer(),
              new ByteArraySerializer());
      producer = present;
    }
    return present;
  }

  CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.add("--config");
    all.add(config);
    return CommandRun.of(all.toArray(String[]::new));
  }

  JsonNode json(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--output", "json"));
    CommandRun run = run(all.toArray(String[]::new));
    if (run.exitCode() != 0) {
      throw new AssertionError(run.exitCode() + ": " + run.err());
    }
    return run.json();
  }

  /** Runs a statement; the first cell of what it returns, or an empty text. */
  public String superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet row = statement.getResultSet()) {
        return row.next() ? String.valueOf(row.getString(1)) : "";
      }
    }
  }

  @Override
  public void close() throws SQLException {
    if (producer != null) {
      producer.close();
    }
    database.close();
  }
}
