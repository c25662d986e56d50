package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.route.EventRecord;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class ReplayCommandTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private SentEvents world;
  private Tenant one;

  @BeforeEach
  void prepare(PostgresServer server, TestTopics topics) throws Exception {
    world = new SentEvents(server, topics, directory);
    one = world.database().newTenant();
  }

  @AfterEach
  void drop() throws Exception {
    world.close();
  }

  @Test
  void events_go_out_again_as_the_same_bytes_marked_with_the_replay() throws Exception {
    List<UUID> orders = world.write(one, "order", 1500);
    List<UUID> things = world.write(one, "thing", 500);
    world.audit();

    JsonNode replay = world.json("replay", "--all", "--rate", "20000", "--yes");

    assertThat(replay.path("state").asText()).isEqualTo("completed");
    assertThat(replay.path("sent_count").asInt()).isEqualTo(2000);
    String id = replay.path("id").asText();
    assertSame(world.records(world.topic("order")), world.originals(orders), id);
    assertSame(world.records(world.topic("thing")), world.originals(things), id);
    assertThat(
            world.superuser("SELECT string_agg(state, ',' ORDER BY id) FROM onceward.ops_actions"))
        .isEqualTo("started,succeeded");
    assertThat(world.superuser("SELECT result FROM onceward.ops_actions WHERE state = 'succeeded'"))
        .contains(id)
        .contains("2000 of 2000 sent");
    assertThat(world.run("replay", "show", id).out())
        .contains("2000 of 2000, 0 refused, 0 gone, 0 left")
        .contains("completed at ");
    assertThat(world.run("replay", "list").out()).contains(id).contains("completed");
    CommandRun again = world.run("replay", "resume", id);
    assertThat(again.exitCode()).isEqualTo(1);
    assertThat(again.err()).contains("is completed");
  }

  @Test
  void a_record_is_what_its_row_says_to_the_letter() throws Exception {
    world.superuser(
        """
        INSERT INTO onceward.outbox_events (id, workspace_id, event_type, payload_version, aggregate_type, aggregate_id,
          resource_type, resource_id, request_id, payload)
        VALUES ('0196f1f0-0000-7000-8000-000000000001', '%s', 'order.placed', 3, 'order', '42', 'line', '7', 'r/1',
          '{ "a" : 1.0 }')
        """
            .formatted(one.workspaceId()));
    world.audit();

    String replay = world.json("replay", "--type", "order.placed", "--yes").path("id").asText();

    ConsumerRecord<byte[], byte[]> record = world.records(world.topic("order")).get(0);
    assertThat(text(record.key())).isEqualTo("0196f1f0-0000-7000-8000-000000000001");
    assertThat(text(record.value()))
        .isEqualTo(
            ("{\"event_id\":\"0196f1f0-0000-7000-8000-000000000001\",\"event_type\":\"order.placed\","
                    + "\"payload_version\":3,\"workspace_id\":\"%s\",\"aggregate_type\":\"order\","
                    + "\"aggregate_id\":\"42\",\"resource_type\":\"line\",\"resource_id\":\"7\","
                    + "\"request_id\":\"r/1\",\"occurred_at\":\"2025-05-21T08:22:39.872Z\","
                    + "\"payload\":{ \"a\" : 1.0 }}")
                .formatted(one.workspaceId()));
    assertThat(headers(record))
        .containsExactly(
            "event_type=order.placed",
            "workspace_id=" + one.workspaceId(),
            "payload_version=3",
            "replay_id=" + replay);
  }

  @Test
  void each_choice_chooses_and_what_is_not_dispatched_is_left_out() throws Exception {
    Tenant other = world.database().newTenant();
    List<UUID> first = sorted(world.write(one, "order", 50));
    Instant between = Instant.now().plusMillis(2);
    await().until(() -> Instant.now().isAfter(between));
    world.write(other, "order", 20);
    world.write(one, "thing", 10);
    world.audit();
    world.write(one, "order", 4); // pending
    park(first.get(7), "pending");
    park(first.get(8), "dead_letter");
    park(first.get(9), "discarded");
    String xid =
        world.superuser("SELECT xid FROM onceward.outbox_events WHERE id = '" + first.get(0) + "'");

    JsonNode all = plan("--all");
    assertThat(all.path("chosen_count").asInt()).isEqualTo(77);
    assertThat(all.path("pending_count").asInt()).isEqualTo(4);
    assertThat(all.path("parked_count").asInt()).isEqualTo(3);
    assertThat(chosen("--last", "1h")).isEqualTo(77);
    assertThat(chosen("--to", between.toString())).isEqualTo(47);
    assertThat(chosen("--from", between.toString())).isEqualTo(30);
    assertThat(chosen("--from-xid", xid, "--to-xid", xid)).isEqualTo(47);
    assertThat(chosen("--from-event", id(first, 10), "--to-event", id(first, 14))).isEqualTo(5);
    assertThat(chosen("--type", "thing.placed")).isEqualTo(10);
    assertThat(chosen("--aggregate", "order")).isEqualTo(67);
    assertThat(chosen("--aggregate", "order/a1")).isEqualTo(2);
    assertThat(chosen("--workspace", other.workspaceId().toString())).isEqualTo(20);
    assertThat(chosen("--workspace", one.workspaceId().toString(), "--aggregate", "thing/a3"))
        .isEqualTo(1);

    world.json("replay", "--workspace", other.workspaceId().toString(), "--yes");
    assertThat(world.records(world.topic("order")))
        .hasSize(20)
        .allMatch(record -> headers(record).contains("workspace_id=" + other.workspaceId()));
    assertThat(world.endTotal(world.topic("thing"))).isZero();
  }

  @Test
  void a_private_topic_is_made_and_keeps_each_event_in_its_partition() throws Exception {
    List<UUID> orders = world.write(one, "order", 60);
    List<UUID> things = world.write(one, "thing", 20);
    world.audit();
    String topic = world.topic("replay-1");

    CommandRun dry = world.run("replay", "--all", "--to-topic", topic, "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .contains("80")
        .contains("60 order.placed")
        .contains(topic + ", 6 partitions, to be made")
        .contains("1 s at 1000 events/s");
    assertUntouched(topic);

    String id = world.json("replay", "--all", "--to-topic", topic, "--yes").path("id").asText();
    List<EventRecord> wanted = new ArrayList<>(world.originals(orders));
    wanted.addAll(world.originals(things));
    assertSame(world.records(topic), wanted, id);
    assertThat(world.endTotal(world.topic("order"))).isZero();
    assertThat(world.run("replay", "show", id).out()).contains(topic);

    world.json("replay", "--aggregate", "thing", "--to-topic", topic, "--yes");
    assertThat(world.endTotal(topic)).isEqualTo(100);
  }

  @Test
  void what_cannot_be_is_refused_and_changes_nothing(TestTopics topics) throws Exception {
    CommandRun early = world.run("replay", "--all", "--yes");
    assertThat(early.exitCode()).isEqualTo(1);
    assertThat(early.err()).contains("nothing is proven to be in Kafka yet");
    List<UUID> ids = sorted(world.write(one, "order", 3));
    world.audit();

    assertUsage("Say which events");
    assertUsage("contradict", "--all", "--type", "order.placed");
    assertUsage("empty", "--from", "2026-01-02T00:00:00Z", "--to", "2026-01-01T00:00:00Z");
    assertUsage("still to come", "--from", "2999-01-01T00:00:00Z");
    assertUsage("range of times of its own", "--last", "1h", "--to", "2026-01-01T00:00:00Z");
    assertUsage("is no span", "--last", "soon");
    assertUsage("lies behind", "--from-event", id(ids, 2), "--to-event", id(ids, 0));
    assertUsage("do not meet", "--from-event", id(ids, 0), "--to", "2020-01-01T00:00:00Z");
    assertUsage("lies behind", "--from-xid", "9", "--to-xid", "8");
    assertUsage("is no aggregate", "--aggregate", "order/");
    assertUsage("--rate 0", "--all", "--rate", "0");
    assertUsage("--yes", "--all"); // nobody to ask
    assertUsage("Instant", "--from", "yesterday");
    assertUsage("UUID", "--workspace", "mine");
    assertUntouched(world.topic("none"));

    assertRefused("no event is chosen", "--type", "order.cancelled");
    assertRefused("no event is chosen", "--to", "2020-01-01T00:00:00Z");
    assertRefused("is not private", "--all", "--to-topic", world.topic("thing"));
    assertRefused("is not private", "--all", "--to-topic", world.topic("other"));
    assertRefused("dead letters", "--all", "--to-topic", world.topic("order") + "-dead-letter");
    assertRefused("no legal name", "--all", "--to-topic", "a/b");
    String small = topics.create("small-1", 5);
    assertRefused("has 5 partitions, and 6 are needed", "--all", "--to-topic", small);
    world.superuser("UPDATE onceward.relay_state SET topic_partitions = '{}'");
    assertRefused("has never sent to topic " + world.topic("order"), "--all");
    world.superuser(
        "UPDATE onceward.relay_state SET topic_partitions = '{\"%s\": 7}'"
            .formatted(world.topic("order")));
    assertRefused("has 6 partitions, and 7 are needed", "--all");
    topics.admin().deleteTopics(List.of(world.topic("order"))).all().get();
    await()
        .atMost(LIMIT)
        .until(() -> !topics.admin().listTopics().names().get().contains(world.topic("order")));
    CommandRun missing = world.run("replay", "--all", "--yes");
    assertThat(missing.exitCode()).isEqualTo(4);
    assertThat(missing.err()).contains("does not exist");
    assertUntouched(world.topic("order"));

    CommandRun unknown = world.run("replay", "resume", UUID.randomUUID().toString());
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("there is no replay");
    assertThat(world.run("replay", "show", UUID.randomUUID().toString()).exitCode()).isEqualTo(1);
    assertThat(world.run("replay", "list", "--limit", "0").exitCode()).isEqualTo(2);
  }

  @Test
  void killed_half_way_it_resumes_without_gap_or_overlap() throws Exception {
    List<UUID> ids = world.write(one, "order", 1200);
    world.audit();
    String id;
    try (ChildProcess child = child("replay", "--all", "--rate", "400", "--yes")) {
      awaitSent(child, 100);
      id = world.superuser("SELECT id FROM onceward.replays");
      try (Connection holder = world.database().superuser();
          Statement lock = holder.createStatement()) {
        // Whatever page comes next is in Kafka and not recorded.
        holder.setAutoCommit(false);
        long sent;
        try (ResultSet row =
            lock.executeQuery("SELECT sent_count FROM onceward.replays FOR UPDATE")) {
          row.next();
          sent = row.getLong(1);
        }
        await().atMost(LIMIT).until(() -> world.endTotal(world.topic("order")) > sent);
        assertThat(world.run("replay", "resume", id).err()).contains("one process at a time");
        child.kill();
      }
    }
    await().atMost(LIMIT).until(() -> state(id).equals("abandoned"));
    assertThat(world.run("replay", "resume", id, "--dry-run").err()).contains("dry run");
    world.write(one, "order", 10); // not of this replay
    world.audit();

    JsonNode resumed = world.json("replay", "resume", id, "--rate", "5000");

    assertThat(resumed.path("state").asText()).isEqualTo("completed");
    assertThat(resumed.path("sent_count").asInt()).isEqualTo(1200);
    assertThat(resumed.path("run_number").asInt()).isEqualTo(2);
    assertSame(world.records(world.topic("order")), world.originals(ids), id);
    assertInOrder(world.records(world.topic("order")));
  }

  @Test
  void a_signal_ends_it_between_two_pages_and_it_says_how_to_go_on() throws Exception {
    List<UUID> ids = world.write(one, "order", 500);
    world.audit();
    try (ChildProcess child = child("replay", "--all", "--rate", "200", "--yes")) {
      awaitSent(child, 50);
      assertThat(child.stop(LIMIT)).isTrue();
      assertThat(child.exitCode()).hasValue(128 + 15);
      String id = world.superuser("SELECT id FROM onceward.replays");
      assertThat(String.join("\n", child.outputTail(20)))
          .contains("Go on with: onceward replay resume " + id);
      assertThat(state(id)).isEqualTo("stopped");
      assertThat(
              world.superuser(
                  "SELECT string_agg(state, ',' ORDER BY id) FROM onceward.ops_actions"))
          .isEqualTo("started,interrupted");
      world.json("replay", "resume", id, "--rate", "5000");
      assertSame(world.records(world.topic("order")), world.originals(ids), id);
    }
  }

  @Test
  void an_event_that_kafka_will_never_take_is_counted_and_the_others_go_on(TestTopics topics)
      throws Exception {
    world.write(one, "order", 20);
    world.superuser(
        "INSERT INTO onceward.outbox_events (workspace_id, event_type, aggregate_type, aggregate_id,"
            + " resource_type, resource_id, payload) VALUES ('%s', 'thing.placed', 'order', 'a', 'x', 'y',"
                .formatted(one.workspaceId())
            + " ('\"' || repeat('x', 100000) || '\"')::json)");
    world.audit();
    String small = topics.name("small-2");
    topics
        .admin()
        .createTopics(
            List.of(
                new NewTopic(small, 6, (short) 1).configs(Map.of("max.message.bytes", "50000"))))
        .all()
        .get();

    CommandRun run = world.run("replay", "--all", "--to-topic", small, "--yes", "--output", "json");

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.json().path("sent_count").asInt()).isEqualTo(20);
    assertThat(run.json().path("refused_count").asInt()).isEqualTo(1);
    assertThat(run.json().path("last_error_summary").asText()).contains("RecordTooLarge");
    assertThat(world.endTotal(small)).isEqualTo(20);
  }

  private JsonNode plan(String... arguments) throws Exception {
    return world.json(
        Stream.concat(Stream.of("replay", "--dry-run"), Arrays.stream(arguments))
            .toArray(String[]::new));
  }

  private int chosen(String... arguments) throws Exception {
    return plan(arguments).path("chosen_count").asInt();
  }

  private void park(UUID event, String status) throws SQLException {
    world.superuser(
        """
        INSERT INTO onceward.parked_events (event_id, workspace_id, topic, partition_key, record_key, record_value,
          record_headers, xid, status)
        SELECT id, workspace_id, 't', 'k', '', '', '{}', xid, '%s' FROM onceward.outbox_events WHERE id = '%s'
        """
            .formatted(status, event));
  }

  private ChildProcess child(String... arguments) {
    List<String> all = new ArrayList<>(List.of(arguments));
    all.addAll(List.of("--config", world.config()));
    return ChildCommand.java(
            "replay",
            "dev.onceward.ops.OncewardMain",
            List.of(
                "-Xmx256m",
                "-XX:TieredStopAtLevel=1",
                "-Dlogback.configurationFile=logback-command-line.xml"),
            all)
        .withOutput(directory.resolve("child.log"))
        .start();
  }

  private void awaitSent(ChildProcess child, int atLeast) {
    await()
        .atMost(LIMIT)
        .untilAsserted(
            () ->
                assertThat(
                        world.superuser(
                            "SELECT id FROM onceward.replays WHERE sent_count >= " + atLeast))
                    .as("%s", child.outputTail(20))
                    .isNotEmpty());
  }

  private String state(String id) throws Exception {
    return world.json("replay", "show", id).path("state").asText();
  }

  private void assertUsage(String named, String... arguments) {
    CommandRun run =
        world.run(
            Stream.concat(Stream.of("replay"), Arrays.stream(arguments)).toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(named);
  }

  private void assertRefused(String named, String... arguments) {
    CommandRun run =
        world.run(
            Stream.concat(Stream.of("replay", "--yes"), Arrays.stream(arguments))
                .toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    assertThat(run.err()).contains(named);
  }

  private void assertUntouched(String absentTopic) throws Exception {
    assertThat(world.superuser("SELECT count(*) FROM onceward.replays")).isEqualTo("0");
    assertThat(world.superuser("SELECT count(*) FROM onceward.ops_actions")).isEqualTo("0");
    assertThat(world.topicNames()).doesNotContain(absentTopic);
  }

  private static void assertSame(
      List<ConsumerRecord<byte[], byte[]>> sent, List<EventRecord> originals, String replayId) {
    assertThat(sent).hasSameSizeAs(originals);
    Map<String, ConsumerRecord<byte[], byte[]>> byKey = new HashMap<>();
    sent.forEach(record -> byKey.put(text(record.key()), record));
    assertThat(byKey).as("no event twice").hasSameSizeAs(originals);
    for (EventRecord original : originals) {
      ConsumerRecord<byte[], byte[]> record = byKey.get(text(original.key()));
      assertThat(record).as(original.toString()).isNotNull();
      assertThat(record.partition()).isEqualTo(original.partition());
      assertThat(record.value()).isEqualTo(original.value());
      List<String> marked = new ArrayList<>();
      for (Header header : original.headers()) {
        marked.add(header.key() + "=" + text(header.value()));
      }
      marked.add(EventHeaders.REPLAY_ID + "=" + replayId);
      assertThat(headers(record)).isEqualTo(marked);
    }
  }

  /** No record has overtaken another one in its partition. */
  private static void assertInOrder(List<ConsumerRecord<byte[], byte[]>> records) {
    Map<Integer, List<String>> keys = new HashMap<>();
    records.forEach(
        record ->
            keys.computeIfAbsent(record.partition(), partition -> new ArrayList<>())
                .add(text(record.key())));
    assertThat(keys.values()).allSatisfy(ids -> assertThat(ids).isSorted());
  }

  private static List<String> headers(ConsumerRecord<byte[], byte[]> record) {
    List<String> headers = new ArrayList<>();
    record.headers().forEach(header -> headers.add(header.key() + "=" + text(header.value())));
    return headers;
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }

  private static List<UUID> sorted(List<UUID> ids) {
    return ids.stream()
        .sorted((first, second) -> first.toString().compareTo(second.toString()))
        .toList();
  }

  private static String id(List<UUID> ids, int index) {
    return ids.get(index).toString();
  }
}
