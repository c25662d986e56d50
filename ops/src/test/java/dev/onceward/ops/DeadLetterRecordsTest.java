package dev.onceward.ops;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.FreePorts;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.DeadLetterHeaders;
import dev.onceward.event.EventHeaders;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class DeadLetterRecordsTest {

  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private MigratedDatabase database;
  private DeadLetterRows rows;
  private Tenant tenant;
  private TestTopics topics;
  private String config;
  private String topic;
  private String aside;
  private KafkaProducer<byte[], byte[]> producer;

  @BeforeEach
  void prepare(PostgresServer server, TestTopics fresh) throws Exception {
    database = MigratedDatabase.create(server);
    rows = new DeadLetterRows(database);
    tenant = database.newTenant();
    topics = fresh;
    config = OpsConfig.write(directory, database.url(), "onceward_ops", MigratedDatabase.PASSWORD);
    kafka(topics.bootstrapServers());
    topic = topics.create("thing", 2);
    aside = topics.create("thing-dead-letter", 1);
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", topics.bootstrapServers()),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @AfterEach
  void drop() throws Exception {
    producer.close(Duration.ZERO);
    database.close();
  }

  @Test
  void a_redriven_record_is_where_it_came_from_byte_for_byte_with_its_history() throws Exception {
    UUID event = UUID.randomUUID();
    byte[] value = {'{', (byte) 0xff, 0, '}'};
    setAside(event.toString(), value, topic, 1, "UNKNOWN_EVENT_TYPE", "No handler for thing.made");

    JsonNode listed = json("list").at("/dead_letters/0");
    String id = aside + "/0/0";
    assertThat(listed.path("id").asText()).isEqualTo(id);
    assertThat(listed.path("kind").asText()).isEqualTo("record");
    assertThat(listed.path("event_id").asText()).isEqualTo(event.toString());
    assertThat(listed.path("event_type").asText()).isEqualTo("thing.made");
    assertThat(listed.path("code").asText()).isEqualTo("UNKNOWN_EVENT_TYPE");
    assertThat(listed.path("workspace_id").asText()).isEqualTo(tenant.workspaceId().toString());

    String replay = json("redrive", event.toString(), "--yes").path("replay_id").asText();
    List<ConsumerRecord<byte[], byte[]>> back = read(topic, 1);
    assertThat(back).hasSize(1);
    assertThat(back.get(0).key()).isEqualTo(event.toString().getBytes(UTF_8));
    assertThat(back.get(0).value()).isEqualTo(value);
    assertThat(header(back.get(0), EventHeaders.REPLAY_ID)).isEqualTo(replay);
    assertThat(header(back.get(0), EventHeaders.EVENT_TYPE)).isEqualTo("thing.made");
    assertThat(header(back.get(0), DeadLetterHeaders.REASON)).isEqualTo("UNKNOWN_EVENT_TYPE");
    assertThat(json("list").path("total").asInt()).isZero();
    assertThat(json("show", id).at("/history/0/act").asText()).isEqualTo("redriven");
    refused(1, "was redriven already", "redrive", id, "--yes");

    // The next consumer sets it aside again, with its own reason behind the old one.
    send(aside, back.get(0), Map.of(DeadLetterHeaders.REASON, "OPERATION_NOT_FOUND"));
    JsonNode again = json("list").at("/dead_letters/0");
    assertThat(again.path("redrives").asInt()).isOne();
    assertThat(again.path("code").asText()).isEqualTo("OPERATION_NOT_FOUND");
  }

  @Test
  void an_event_that_was_set_aside_twice_must_be_named_by_its_place() throws Exception {
    String event = UUID.randomUUID().toString();
    setAside(event, new byte[] {1}, topic, 0, "UNKNOWN_EVENT_TYPE", "first");
    setAside(event, new byte[] {2}, topic, 0, "UNKNOWN_EVENT_TYPE", "second");

    refused(1, "record " + aside + "/0/0 and record " + aside + "/0/1", "redrive", event, "--yes");
    json("discard", aside + "/0/0", "--reason", "sent twice", "--yes");
    json("redrive", event, "--yes");
    assertThat(read(topic, 1).get(0).value()).isEqualTo(new byte[] {2});
    assertThat(json("list", "--discarded").at("/dead_letters/0/id").asText())
        .isEqualTo(aside + "/0/0");
    assertThat(json("show", aside + "/0/0", "--payload").path("payload").asText()).isEqualTo("\1");
  }

  @Test
  void records_that_do_not_truly_say_where_they_came_from_stay_and_the_others_go()
      throws Exception {
    setAside(null, null, topic, 0, "NULL_KEY", "The record has no key.");
    setAside("k", new byte[] {1}, topics.name("elsewhere"), 0, "UNDECODABLE", "not JSON");
    setAside("k", new byte[] {1}, topic, 7, "UNDECODABLE", "not JSON");

    CommandRun run = run("redrive", "--all", "--kind=record", "--yes");
    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("redriven: 1 (record 1)")
        .contains(aside + "/0/1: it does not say where it came from")
        .contains(aside + "/0/2: there is no partition 7 of " + topic);
    ConsumerRecord<byte[], byte[]> back = read(topic, 1).get(0);
    assertThat(back.key()).isNull();
    assertThat(back.value()).isNull();
    assertThat(json("list").path("total").asInt()).isEqualTo(2);
  }

  @Test
  void a_topic_that_a_route_names_is_looked_into_whatever_the_prefix() throws Exception {
    setAside("k", new byte[] {1}, topic, 0, "UNDECODABLE", "not JSON");

    set("onceward.topic-prefix=elsewhere.");
    assertThat(json("list").path("total").asInt()).isZero();
    set("onceward.topic-routes=thing=" + topic);
    assertThat(json("list").path("total").asInt()).isOne();
  }

  @Test
  void while_kafka_is_away_only_what_needs_it_is_refused() throws Exception {
    UUID operation = rows.operation(tenant, "s1", "dead", "AWAY", "x").operationId();
    kafka("127.0.0.1:" + FreePorts.next());

    refused(4, "--kind=parked,operation", "redrive", "--all", "--yes");
    assertThat(rows.text("SELECT count(*) FROM onceward.ops_actions")).isEqualTo("0");
    json("redrive", operation.toString(), "--yes");
  }

  private void kafka(String servers) throws IOException {
    set("onceward.kafka.bootstrap.servers=" + servers);
    set("onceward.topic-prefix=" + topics.prefix());
  }

  /** The last line of a key counts. */
  private void set(String line) throws IOException {
    Files.writeString(Path.of(config), line + "\n", StandardOpenOption.APPEND);
  }

  private void setAside(
      @Nullable String key,
      byte @Nullable [] value,
      String from,
      int partition,
      String reason,
      String message)
      throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(aside, 0, key == null ? null : key.getBytes(UTF_8), value);
    Map<String, String> headers = new LinkedHashMap<>();
    headers.put(EventHeaders.EVENT_TYPE, "thing.made");
    headers.put(EventHeaders.WORKSPACE_ID, tenant.workspaceId().toString());
    headers.put(DeadLetterHeaders.REASON, reason);
    headers.put(DeadLetterHeaders.MESSAGE, message);
    headers.put(DeadLetterHeaders.TOPIC, from);
    headers.put(DeadLetterHeaders.PARTITION, Integer.toString(partition));
    headers.put(DeadLetterHeaders.OFFSET, "5");
    headers.put(DeadLetterHeaders.GROUP, "workers");
    headers.put(DeadLetterHeaders.AT, Instant.now().toString());
    headers.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    producer.send(record).get();
  }

  private void send(String to, ConsumerRecord<byte[], byte[]> source, Map<String, String> more)
      throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(to, 0, source.key(), source.value(), source.headers());
    more.forEach((name, text) -> record.headers().add(name, text.getBytes(UTF_8)));
    producer.send(record).get();
  }

  /** Waits for so many records of a topic. */
  private List<ConsumerRecord<byte[], byte[]>> read(String from, int wanted) {
    List<ConsumerRecord<byte[], byte[]>> records = new ArrayList<>();
    try (KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", topics.bootstrapServers()),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer())) {
      List<TopicPartition> all = List.of(new TopicPartition(from, 0), new TopicPartition(from, 1));
      consumer.assign(all);
      consumer.seekToBeginning(all);
      long deadline = System.nanoTime() + LIMIT.toNanos();
      while (records.size() < wanted && System.nanoTime() < deadline) {
        consumer.poll(Duration.ofMillis(200)).forEach(records::add);
      }
    }
    return records;
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return EventHeaders.text(record.headers(), name).orElse("(none)");
  }

  private void refused(int exitCode, String message, String... arguments) {
    CommandRun run = run(arguments);
    assertThat(run.exitCode()).as(String.join(" ", arguments)).isEqualTo(exitCode);
    assertThat(run.err()).as(String.join(" ", arguments)).contains(message);
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("dead-letters"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--config", config));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private JsonNode json(String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--output", "json"));
    CommandRun run = run(all.toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    return run.json();
  }
}
