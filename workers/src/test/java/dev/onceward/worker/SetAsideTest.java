package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.UuidV7;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.DeadLetterHeaders;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.event.route.TopicNames;
import java.sql.Connection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class SetAsideTest {

  private static final Duration POLL = Duration.ofMillis(200);

  private WorkerWorld world;
  private TestTopics topics;
  private final ScriptedHandler handler = ScriptedHandler.quick();

  @BeforeEach
  void open(PostgresServer server, TestTopics testTopics) throws Exception {
    topics = testTopics;
    world = new WorkerWorld(server, topics, 1);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  @Tag("S31")
  @Tag("S32")
  void records_that_nobody_can_read_are_set_aside_once_each_and_their_partition_goes_on()
      throws Exception {
    NewTask good = task("good");
    world.write(good);
    byte[] id = UuidV7.next().toString().getBytes(UTF_8);
    byte[] text = "value".getBytes(UTF_8);
    Header header = new RecordHeader("x-of-the-producer", text);
    world.send(0, id, new byte[] {(byte) 0xff, 0x00, (byte) 0xfe}, List.of(header));
    world.send(0, id, "{\"event_id\":".getBytes(UTF_8), List.of());
    world.send(0, id, new byte[0], List.of());
    world.send(0, id, "[1,2]".getBytes(UTF_8), List.of());
    world.send(0, id, null, List.of());
    world.send(0, null, text, List.of());
    world.send(0, null, null, List.of());
    sendWithKey("no event id".getBytes(UTF_8), good);
    world.send(good);
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, good);
    await().until(() -> world.committed(0) == 9);

    List<ConsumerRecord<byte[], byte[]>> aside = deadLetters(8);
    assertThat(aside)
        .extracting(record -> header(record, DeadLetterHeaders.REASON))
        .containsExactlyInAnyOrder(
            "UNDECODABLE",
            "UNDECODABLE",
            "UNDECODABLE",
            "UNDECODABLE",
            "NULL_VALUE",
            "NULL_KEY",
            "NULL_KEY",
            "KEY_IS_NOT_EVENT_ID");
    assertThat(aside)
        .extracting(record -> header(record, DeadLetterHeaders.OFFSET))
        .as("once each")
        .containsExactlyInAnyOrder("0", "1", "2", "3", "4", "5", "6", "7");
    ConsumerRecord<byte[], byte[]> first =
        aside.stream()
            .filter(record -> "0".equals(header(record, DeadLetterHeaders.OFFSET)))
            .findFirst()
            .orElseThrow();
    assertThat(first.key()).isEqualTo(id);
    assertThat(first.value()).containsExactly(0xff, 0x00, 0xfe);
    assertThat(header(first, "x-of-the-producer")).isEqualTo("value");
    assertThat(header(first, DeadLetterHeaders.TOPIC)).isEqualTo(world.topic());
    assertThat(header(first, DeadLetterHeaders.PARTITION)).isEqualTo("0");
    assertThat(header(first, DeadLetterHeaders.GROUP)).isEqualTo(topics.prefix() + "workers");
    assertThat(Instant.parse(header(first, DeadLetterHeaders.AT))).isBefore(Instant.now());
    assertThat(handler.calls()).containsExactly(good.event().id());
  }

  @Test
  @Tag("S32")
  void a_whole_envelope_without_headers_is_worked_on() throws Exception {
    NewTask task = task("good");
    world.write(task);
    sendWithKey(task.event().id().toString().getBytes(UTF_8), task);
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, task);
  }

  @Test
  @Tag("S33")
  void unknown_types_and_newer_versions_are_kept_where_an_operator_finds_them() throws Exception {
    NewTask unknown =
        NewTask.of(
            "other", NewEvent.of("thing.of_the_future", ScriptedHandler.AGGREGATE_TYPE, "a", "{}"));
    NewTask known = task("a");
    NewTask newer =
        new NewTask(known.operationId(), known.kind(), 8, known.event().withPayloadVersion(2));
    NewTask good = task("a");
    world.writeAndSend(unknown, newer, good);
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, good);
    await().until(() -> world.committed(0) == 3);

    List<ConsumerRecord<byte[], byte[]>> aside = deadLetters(2);
    assertThat(aside)
        .extracting(record -> header(record, DeadLetterHeaders.REASON))
        .containsExactlyInAnyOrder("UNKNOWN_EVENT_TYPE", "NEWER_PAYLOAD_VERSION");
    assertThat(aside)
        .extracting(record -> header(record, EventHeaders.EVENT_TYPE))
        .containsExactlyInAnyOrder("thing.of_the_future", ScriptedHandler.EVENT_TYPE);
    assertThat(aside)
        .extracting(record -> new String(record.key(), UTF_8))
        .containsExactlyInAnyOrder(unknown.event().id().toString(), newer.event().id().toString());
    assertThat(world.state(unknown)).isEqualTo(OperationState.QUEUED);
    assertThat(handler.calls()).containsExactly(good.event().id());
  }

  @Test
  @Tag("S33")
  void unknown_types_are_passed_over_where_that_was_asked_for() throws Exception {
    NewTask unknown =
        NewTask.of(
            "other", NewEvent.of("thing.of_the_future", ScriptedHandler.AGGREGATE_TYPE, "a", "{}"));
    NewTask good = task("a");
    world.writeAndSend(unknown, good);
    world.start(handler, "onceward.worker.unknown-types", "ignore");
    world.awaitState(OperationState.SUCCEEDED, good);
    await().until(() -> world.committed(0) == 2);

    assertThat(topics.admin().listTopics().names().get())
        .doesNotContain(TopicNames.deadLetterOf(world.topic()));
  }

  @Test
  void an_event_that_is_in_kafka_before_its_row_can_be_seen_is_waited_for() throws Exception {
    NewTask task = task("a");
    NewTask other = task("b");
    world.start(handler);
    try (Connection connection = world.database().connect("onceward_app")) {
      connection.setAutoCommit(false);
      dev.onceward.db.WorkspaceContext.set(connection, world.tenant().workspaceId());
      TaskWriter.append(connection, task);
      world.send(task);
      world.writeAndSend(other);
      world.awaitState(OperationState.SUCCEEDED, other);
      assertThat(handler.calls()).containsExactly(other.event().id());
      assertThat(world.committed(0)).as("the invisible one is not passed").isZero();
      connection.commit();
    }
    world.awaitState(OperationState.SUCCEEDED, task);
    await().until(() -> world.committed(0) == 2);
  }

  @Test
  void an_old_event_without_an_operation_is_set_aside() throws Exception {
    NewTask task = task("a");
    world.send(task);
    world.start(handler, "onceward.worker.visibility-wait", "1s");

    assertThat(deadLetters(1))
        .extracting(record -> header(record, DeadLetterHeaders.REASON))
        .containsExactly("OPERATION_NOT_FOUND");
    await().until(() -> world.committed(0) == 1);
    assertThat(handler.calls()).isEmpty();
  }

  @Test
  void an_event_of_another_workspace_finds_no_operation() throws Exception {
    NewTask task = task("a");
    world.write(task);
    OutboxRow forged =
        new OutboxRow(
            task.event().id(),
            UUID.randomUUID(),
            ScriptedHandler.EVENT_TYPE,
            1,
            ScriptedHandler.AGGREGATE_TYPE,
            "a",
            "thing",
            "a",
            null,
            null,
            null,
            null,
            RawJson.of("{}"));
    world.send(forged);
    world.start(handler, "onceward.worker.visibility-wait", "0s");

    assertThat(deadLetters(1)).hasSize(1);
    assertThat(world.state(task)).isEqualTo(OperationState.QUEUED);
    assertThat(handler.calls()).isEmpty();
  }

  @Test
  void a_record_that_cannot_be_set_aside_is_not_passed_and_health_says_so() throws Exception {
    String aside = topics.create(ScriptedHandler.AGGREGATE_TYPE + "-dead-letter", 1);
    resize(aside, "100");
    NewTask good = task("good");
    world.write(good);
    world.send(0, "k".getBytes(UTF_8), "no envelope".getBytes(UTF_8), List.of());
    world.send(good);
    WorkerWorld.RunningWorker worker =
        world.start(
            handler,
            "onceward.worker.platform-timeout",
            "200ms",
            "onceward.worker.handler-timeout",
            "500ms",
            "onceward.worker.standstill",
            "1s");
    world.awaitState(OperationState.SUCCEEDED, good);
    await()
        .atMost(WorkerWorld.LIMIT)
        .untilAsserted(
            () ->
                assertThat(worker.health().report().reasons())
                    .anyMatch(reason -> reason.startsWith("dead_letters: "))
                    .anyMatch(reason -> reason.startsWith("progress: nothing was finished for ")));
    assertThat(lagSeconds(worker)).isGreaterThan(1);
    assertThat(world.committed(0)).isZero();

    resize(aside, "1000000");
    await().atMost(WorkerWorld.LIMIT).until(() -> world.committed(0) == 2);
    assertThat(deadLetters(1)).hasSize(1);
    await()
        .atMost(WorkerWorld.LIMIT)
        .untilAsserted(() -> assertThat(worker.health().report().reasons()).isEmpty());
    assertThat(lagSeconds(worker)).isZero();
  }

  private double lagSeconds(WorkerWorld.RunningWorker worker) throws Exception {
    return world
        .get(worker, "/metrics")
        .lines()
        .filter(line -> line.startsWith("onceward_worker_lag_seconds{"))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private void resize(String topic, String maxMessageBytes) throws Exception {
    topics
        .admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("max.message.bytes", maxMessageBytes),
                        AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }

  private void sendWithKey(byte[] key, NewTask task) throws Exception {
    OutboxRow row =
        new OutboxRow(
            task.event().id(),
            world.tenant().workspaceId(),
            ScriptedHandler.EVENT_TYPE,
            1,
            ScriptedHandler.AGGREGATE_TYPE,
            "a",
            "thing",
            "a",
            null,
            null,
            null,
            null,
            RawJson.of("{}"));
    world.send(0, key, dev.onceward.event.EnvelopeCodec.encode(row.toEnvelope()), List.of());
  }

  /** Reads the dead-letter topic until it holds that many, and a little longer. */
  private List<ConsumerRecord<byte[], byte[]>> deadLetters(int expected) {
    String topic = TopicNames.deadLetterOf(world.topic());
    List<ConsumerRecord<byte[], byte[]>> read = new ArrayList<>();
    await()
        .atMost(WorkerWorld.LIMIT)
        .until(() -> topics.admin().listTopics().names().get().contains(topic));
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", topics.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> partitions =
          consumer.partitionsFor(topic).stream()
              .map(info -> new TopicPartition(topic, info.partition()))
              .toList();
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      await()
          .atMost(WorkerWorld.LIMIT)
          .until(
              () -> {
                consumer.poll(POLL).forEach(read::add);
                return read.size() >= expected;
              });
      consumer.poll(POLL).forEach(read::add);
    }
    assertThat(read).hasSize(expected);
    return read;
  }

  private static @Nullable String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return EventHeaders.text(record.headers(), name).orElse(null);
  }
}
