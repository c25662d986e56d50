package dev.onceward.ops;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
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
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * A pipeline that a test drives step by step: it writes as the application does, sends what a relay
 * sends, and notes what a relay notes.
 */
final class TestPipeline implements AutoCloseable {
  private static final int PARTITIONS = 2;

  private final MigratedDatabase database;
  private final Tenant tenant;
  private final TestTopics topics;
  private final String topic;
  private final String config;
  private final KafkaProducer<byte[], byte[]> producer;

  TestPipeline(PostgresServer server, TestTopics topics, Path directory) throws Exception {
    database = MigratedDatabase.create(server);
    tenant = database.newTenant();
    this.topics = topics;
    topic = topics.create("store", PARTITIONS);
    config = config(directory, topics.bootstrapServers());
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", topics.bootstrapServers(), "linger.ms", "0"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  /** A settings file that names this broker. */
  String config(Path directory, String bootstrapServers) throws IOException {
    String file =
        OpsConfig.write(directory, database.url(), "onceward_ops_read", MigratedDatabase.PASSWORD);
    Files.writeString(
        Path.of(file),
        "onceward.kafka.bootstrap.servers="
            + bootstrapServers
            + "\nonceward.topic-prefix="
            + topics.prefix()
            + "\n",
        StandardOpenOption.APPEND);
    return file;
  }

  MigratedDatabase database() {
    return database;
  }

  Tenant tenant() {
    return tenant;
  }

  String topic() {
    return topic;
  }

  String config() {
    return config;
  }

  TestTopics topics() {
    return topics;
  }

  /** An event of so long ago. */
  static NewEvent event(String aggregateId, Duration ago) {
    NewEvent now =
        NewEvent.of(
            "store.credentials_submitted",
            "store",
            aggregateId,
            "{\"store_id\":\"%s\",\"credential_version\":1}".formatted(UUID.randomUUID()));
    long high = Instant.now().minus(ago).toEpochMilli() << 16;
    UUID id =
        new UUID(
            high | (now.id().getMostSignificantBits() & 0xFFFF),
            now.id().getLeastSignificantBits());
    return new NewEvent(
        id,
        now.eventType(),
        now.payloadVersion(),
        now.aggregateType(),
        now.aggregateId(),
        now.resourceType(),
        now.resourceId(),
        null,
        null,
        null,
        null,
        now.payload());
  }

  /** Writes an event in a transaction of its own. */
  NewEvent append(NewEvent event) throws SQLException {
    return append(tenant.workspaceId(), event);
  }

  NewEvent append(UUID workspaceId, NewEvent event) throws SQLException {
    database
        .app()
        .runInWorkspace(workspaceId, connection -> OutboxWriter.append(connection, event));
    return event;
  }

  /** Writes an event and the operation that it asks for; the operation's id. */
  UUID task(NewEvent event) throws SQLException {
    NewTask task = NewTask.of("verify_store_credentials", event);
    database
        .app()
        .runInWorkspace(tenant.workspaceId(), connection -> TaskWriter.append(connection, task));
    return UUID.fromString(
        superuser("SELECT id FROM onceward.operations WHERE event_id = '" + event.id() + "'"));
  }

  /** Sends an event's record as the relay does. */
  RecordMetadata send(NewEvent event) throws Exception {
    return send(record(tenant.workspaceId(), event), event);
  }

  RecordMetadata send(UUID workspaceId, NewEvent event) throws Exception {
    return send(record(workspaceId, event), event);
  }

  /** The same with one more header. */
  RecordMetadata send(NewEvent event, String header, String value) throws Exception {
    return send(record(tenant.workspaceId(), event).withHeader(header, value), event);
  }

  private RecordMetadata send(EventRecord record, NewEvent event) throws Exception {
    return producer
        .send(
            new ProducerRecord<>(
                record.topic(),
                record.partition(),
                event.id().getMostSignificantBits() >>> 16,
                record.key(),
                record.value(),
                record.headers()))
        .get();
  }

  /** Sends anything to that topic. */
  RecordMetadata sendRaw(ProducerRecord<byte[], byte[]> record) throws Exception {
    return producer.send(record).get();
  }

  EventRecord record(UUID workspaceId, NewEvent event) {
    return new RecordBuilder(
            TopicNames.withPrefix(topics.prefix()), Partitioner.AGGREGATE, name -> PARTITIONS)
        .build(
            new OutboxRow(
                event.id(),
                workspaceId,
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
                RawJson.of(event.payload())));
  }

  TopicPartition partition(NewEvent event) {
    return new TopicPartition(topic, record(tenant.workspaceId(), event).partition());
  }

  /** Parks an event as the relay does. */
  void park(NewEvent event, String status) throws SQLException {
    superuser(
        """
        INSERT INTO onceward.parked_events (event_id, workspace_id, xid, topic, partition_key, record_key, record_value,
          record_headers, status, last_error_code, last_error_summary)
        SELECT id, workspace_id, xid, '%s', aggregate_type || '/' || aggregate_id, '\\x00', '\\x00', '[]', '%s',
          'OUTBOX_ENQUEUE_FAILED', 'the topic is missing'
        FROM onceward.outbox_events WHERE id = '%s' RETURNING event_id
        """
            .formatted(topic, status, event.id()));
  }

  /** Notes that the relay has audited all that is committed now. */
  void audited() throws SQLException {
    superuser(
        """
        INSERT INTO onceward.relay_state (relay, system_identifier, delivered_snapshot, delivered_at, audited_snapshot,
          audited_at, topic_partitions)
        VALUES ('onceward', 42, pg_current_snapshot(), now(), pg_current_snapshot(), now(), '{"%s": %d}')
        ON CONFLICT (relay) DO UPDATE SET delivered_snapshot = excluded.delivered_snapshot,
          delivered_at = excluded.delivered_at, audited_snapshot = excluded.audited_snapshot,
          audited_at = excluded.audited_at
        RETURNING relay
        """
            .formatted(topic, PARTITIONS));
  }

  /** Runs a statement past row-level security; the first value that it returns, or "". */
  String superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (java.sql.ResultSet row = statement.getResultSet()) {
        return row.next() ? row.getString(1) : "";
      }
    }
  }

  @Override
  public void close() throws SQLException {
    producer.close(Duration.ZERO);
    database.close();
  }
}
