package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.cluster.WorkspaceAccess;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What the relay has sent and workers have done is replayed by the operator's command line. */
@ExtendWith(ClusterExtension.class)
final class ReplayTest {

  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String PLAIN_TOPIC = "onceward.thing";
  private static final String TASK_TOPIC = "onceward.ai_task";
  private static final String WORKERS = "onceward-workers";
  private static final int LAST_RUNS = 5;

  @TempDir private Path directory;
  private LocalCluster cluster;
  private WorkspaceAccess access;

  @BeforeEach
  void connect(LocalCluster shared) {
    cluster = shared;
    access = cluster.createWorkspace("replay " + UUID.randomUUID());
  }

  @Test
  void two_thousand_events_go_out_again_byte_for_byte_and_nothing_is_done_twice() throws Exception {
    replayAll(2_000, 15, 1_000, 1);
  }

  @LongFault
  @Test
  void a_hundred_thousand_events_too_with_the_command_killed_again_and_again() throws Exception {
    replayAll(100_000, 200, 10_000, 5);
  }

  private void replayAll(int plainCount, int taskCount, int rate, int kills) throws Exception {
    List<String> taskEvents = runTasks(taskCount);
    writePlain(plainCount);
    int total = plainCount + taskCount;
    await().atMost(LIMIT).until(() -> dispatched() == total);
    Map<String, List<Copy>> before = read();
    assertThat(before).hasSize(total).allSatisfy((key, copies) -> assertThat(copies).hasSize(1));
    String operations = operations();

    String id = replayWithKills(rate, kills, total / (2 * (kills + 1)));

    assertThat(
            scalar(
                "SELECT state || ' ' || sent_count FROM onceward.replays WHERE id = '" + id + "'"))
        .isEqualTo("completed " + total);
    Map<String, List<Copy>> after = read();
    assertThat(after.keySet()).isEqualTo(before.keySet());
    after.forEach(
        (key, copies) -> {
          Copy original = before.getOrDefault(key, List.of()).get(0);
          assertThat(copies)
              .containsExactly(
                  original,
                  new Copy(
                      original.partition,
                      original.valueDigest,
                      Stream.concat(original.headers.stream(), Stream.of("replay_id=" + id))
                          .toList()));
        });
    await().atMost(LIMIT).until(this::workersHaveReadAll);
    assertThat(operations()).as("not a column has changed").isEqualTo(operations);
    assertThat(taskEvents)
        .allSatisfy(event -> assertThat(cluster.platform().ledger().calls(event)).hasSize(1));
  }

  private List<String> runTasks(int count) throws Exception {
    ApiClient client = new ApiClient(cluster.apiUrl(), access.accessKey(), Duration.ofSeconds(30));
    List<String> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      ApiAnswer answer =
          client.post(
              "/v1/ai-tasks", "task-" + i, "{\"kind\":\"text\",\"input\":{\"prompt\":\"replay\"}}");
      assertThat(answer.status()).as("%s", answer.text()).isEqualTo(202);
      events.add(answer.json().at("/operation/event_id").asText());
    }
    String done =
        "SELECT count(*) FROM onceward.operations WHERE state = 'succeeded' AND workspace_id = '%s'"
            .formatted(access.workspaceId());
    await().atMost(LIMIT).until(() -> scalar(done).equals(Integer.toString(count)));
    return events;
  }

  /** Events that no worker subscribes to. */
  private void writePlain(int count) throws SQLException {
    try (Connection superuser = cluster.postgres().connect("onceward");
        Statement statement = superuser.createStatement()) {
      statement.execute(
          """
          INSERT INTO onceward.outbox_events (workspace_id, event_type, aggregate_type, aggregate_id, resource_type,
            resource_id, business_key, traceparent, payload)
          SELECT '%s', 'thing.happened', 'thing', 'a' || i %% 500, 'thing', 'r' || i,
            CASE WHEN i %% 2 = 0 THEN 'key ' || i END,
            CASE WHEN i %% 7 = 0 THEN '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01' END,
            ('{ "n" :' || i || ',"price":10.50,  "name":"Gölbaşı 😀 \\u00e7", "n2":1e2}')::json
          FROM generate_series(1, %d) AS i
          """
              .formatted(access.workspaceId(), count));
    }
  }

  private String replayWithKills(int rate, int kills, int betweenKills) throws Exception {
    Random random = new Random(42);
    List<String> command =
        List.of(
            "replay", "--workspace", access.workspaceId().toString(), "--yes", "--rate", "" + rate);
    for (int kill = 1; kill <= kills; kill++) {
      long wanted = sent() + 300 + random.nextInt(betweenKills);
      try (ChildProcess child = onceward(command)) {
        await().atMost(LIMIT).until(() -> sent() >= wanted || !child.isAlive());
        child.kill();
      }
      String id = awaitGone();
      if (!id.isEmpty()) {
        command = List.of("replay", "resume", id, "--yes");
      }
    }
    assertThat(scalar("SELECT state FROM onceward.replays WHERE " + ours()))
        .as("it was killed half-way")
        .isEqualTo("running");
    for (int run = 1; run <= LAST_RUNS; run++) {
      try (ChildProcess child = onceward(command)) {
        assertThat(child.awaitExit(LIMIT)).isTrue();
        if (child.exitCode().getAsInt() == 0) {
          return awaitGone();
        }
        // Kafka may take longer than the command waits, with all that goes on here.
        assertThat(child.exitCode()).as("%s", child.outputTail(30)).hasValue(4);
      }
    }
    throw new AssertionError("not completed in " + LAST_RUNS + " runs");
  }

  /** The replay's id, once the server has noticed by itself that the process is gone. */
  private String awaitGone() throws SQLException {
    String sessions =
        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'onceward-ops'";
    await().atMost(LIMIT).until(() -> scalar(sessions).equals("0"));
    return scalar("SELECT id FROM onceward.replays WHERE " + ours());
  }

  private long sent() throws SQLException {
    String count = scalar("SELECT max(sent_count) FROM onceward.replays WHERE " + ours());
    return count.isEmpty() ? 0 : Long.parseLong(count);
  }

  private String ours() {
    return "selection ->> 'workspace_id' = '" + access.workspaceId() + "'";
  }

  private ChildProcess onceward(List<String> arguments) {
    List<String> all = new ArrayList<>(arguments);
    all.addAll(List.of("--config", cluster.opsConfig().toString()));
    return ChildCommand.java(
            "onceward",
            "dev.onceward.ops.OncewardMain",
            List.of(
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=logback-command-line.xml"),
            all)
        .withOutput(directory.resolve("onceward.log"))
        .start();
  }

  private long dispatched() throws SQLException {
    return Long.parseLong(
        scalar(
            "SELECT count(*) FROM onceward.outbox_event_status WHERE status = 'dispatched' AND workspace_id = '%s'"
                .formatted(access.workspaceId())));
  }

  private String operations() throws SQLException {
    return scalar(
        "SELECT md5(string_agg(o::text, ',' ORDER BY id)) FROM onceward.operations o WHERE workspace_id = '%s'"
            .formatted(access.workspaceId()));
  }

  private String scalar(String sql) throws SQLException {
    try (Connection superuser = cluster.postgres().connect("onceward");
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      String value = row.next() ? row.getString(1) : null;
      return value == null ? "" : value;
    }
  }

  private boolean workersHaveReadAll() throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", cluster.bootstrapServers()));
        KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      var committed = admin.listConsumerGroupOffsets(WORKERS).partitionsToOffsetAndMetadata().get();
      return consumer.endOffsets(partitions(consumer, TASK_TOPIC)).entrySet().stream()
          .allMatch(
              end -> {
                var offset = committed.get(end.getKey());
                return end.getValue() == 0 || (offset != null && offset.offset() >= end.getValue());
              });
    }
  }

  /** A record of an event. */
  private record Copy(int partition, String valueDigest, List<String> headers) {}

  /** Our workspace's records by key, in the order of their partition. */
  private Map<String, List<Copy>> read() throws Exception {
    Map<String, List<Copy>> records = new HashMap<>();
    try (KafkaConsumer<byte[], byte[]> consumer = consumer()) {
      List<TopicPartition> partitions = new ArrayList<>(partitions(consumer, PLAIN_TOPIC));
      partitions.addAll(partitions(consumer, TASK_TOPIC));
      consumer.assign(partitions);
      consumer.seekToBeginning(partitions);
      Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
      while (ends.entrySet().stream()
          .anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(500))) {
          note(record, records);
        }
      }
    }
    return records;
  }

  private void note(ConsumerRecord<byte[], byte[]> record, Map<String, List<Copy>> records)
      throws Exception {
    List<String> headers = new ArrayList<>();
    for (Header header : record.headers()) {
      headers.add(header.key() + "=" + new String(header.value(), StandardCharsets.UTF_8));
    }
    if (headers.contains("workspace_id=" + access.workspaceId())) {
      String digest =
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(record.value()));
      records
          .computeIfAbsent(
              record.topic() + " " + new String(record.key(), StandardCharsets.UTF_8),
              key -> new ArrayList<>(2))
          .add(new Copy(record.partition(), digest, List.copyOf(headers)));
    }
  }

  private static List<TopicPartition> partitions(KafkaConsumer<?, ?> consumer, String topic) {
    return consumer.partitionsFor(topic).stream()
        .map(info -> new TopicPartition(topic, info.partition()))
        .toList();
  }

  private KafkaConsumer<byte[], byte[]> consumer() {
    return new KafkaConsumer<>(
        Map.of("bootstrap.servers", cluster.bootstrapServers(), "max.poll.records", "5000"),
        new ByteArrayDeserializer(),
        new ByteArrayDeserializer());
  }
}
