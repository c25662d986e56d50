package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.route.EventRecord;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class OffsetsCommandTest {

  private final Instant now = Instant.now();

  @TempDir private Path directory;
  private SentEvents world;
  private TestTopics topics;
  private String topic;
  private String group;

  @BeforeEach
  void prepare(PostgresServer server, TestTopics own) throws Exception {
    topics = own;
    world = new SentEvents(server, own, directory);
    topic = world.topic("thing");
    group = own.prefix() + "readers";
    for (int minutesAgo : List.of(50, 40, 30, 5, 4)) {
      send(0, minutesAgo);
    }
    for (int minutesAgo : List.of(45, 35, 25)) {
      send(1, minutesAgo);
    }
    commit(Map.of(at(0), 5L, at(1), 1L));
  }

  @AfterEach
  void drop() throws Exception {
    world.close();
  }

  @Test
  void slot_watermark_ends_and_lag_are_shown() throws Exception {
    world.audit();
    String slot = "offsets_" + UUID.randomUUID().toString().substring(0, 8);
    world.superuser("SELECT pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
    world.superuser("UPDATE onceward.relay_state SET relay = '" + slot + "'");
    System.setProperty("onceward.relay.slot-name", slot);
    try {
      JsonNode report = world.json("offsets", "show");
      assertThat(report.at("/slot/name").asText()).isEqualTo(slot);
      assertThat(report.at("/slot/active").asBoolean(true)).isFalse();
      assertThat(report.at("/slot/confirmed_lsn").asText()).contains("/");
      assertThat(report.at("/watermark/snapshot").asText()).contains(":");
      assertThat(report.at("/audit/at").asText()).startsWith("20");
      List<String> ends = new ArrayList<>();
      report
          .path("topics")
          .forEach(
              each ->
                  ends.add(
                      each.path("topic").asText()
                          + each.path("partition")
                          + " "
                          + each.path("beginning_offset")
                          + " "
                          + each.path("end_offset")));
      assertThat(ends).contains(topic + "0 0 5", topic + "1 0 3", topic + "2 0 0").hasSize(9);
      JsonNode readers = report.at("/groups/0");
      assertThat(report.path("groups")).hasSize(1);
      assertThat(readers.path("group").asText()).isEqualTo(group);
      assertThat(readers.path("state").asText()).isEqualTo("empty");
      assertThat(readers.path("lag_records").asInt()).isEqualTo(2);
      assertThat(readers.at("/partitions/1/lag_records").asInt()).isEqualTo(2);
      assertThat(world.run("offsets", "show", "--group", group).out())
          .contains(slot + ", not in use")
          .containsPattern(topic + " +1 +1 +3 +2");
    } finally {
      System.clearProperty("onceward.relay.slot-name");
    }
    CommandRun without = world.run("offsets", "show", "--output", "json");
    assertThat(without.json().path("slot").isNull()).isTrue();
    assertThat(without.json().path("watermark").isNull()).isTrue();
    assertThat(world.run("offsets", "show", "--group", "nobody").err()).contains("no group");
  }

  @Test
  void to_a_time_each_partition_goes_to_its_first_record_since() throws Exception {
    String time = ago(33).toString();
    CommandRun dry = reset("--to-time", time, "--dry-run");
    assertThat(dry.exitCode()).as(dry.err()).isZero();
    assertThat(dry.out())
        .containsPattern(topic + " +0 +5 +2")
        .containsPattern(topic + " +1 +1 +2 +skips 1 records")
        .containsPattern(topic + " +2 +- +0");
    assertUnchanged();

    JsonNode done = world.json("offsets", "reset", "--group", group, "--to-time", time, "--yes");
    assertThat(done.at("/partitions/0/old_offset").asInt()).isEqualTo(5);
    assertThat(done.at("/partitions/0/new_offset").asInt()).isEqualTo(2);
    assertThat(committed()).isEqualTo(Map.of(0, 2L, 1, 2L, 2, 0L));
    assertThat(world.superuser("SELECT result FROM onceward.ops_actions WHERE state = 'succeeded'"))
        .contains(topic + "-0 5 -> 2");
    assertThat(reset("--to-time", ago(1).toString(), "--topic", topic, "--yes").exitCode())
        .isZero();
    assertThat(committed()).as("the ends").isEqualTo(Map.of(0, 5L, 1, 3L, 2, 0L));
  }

  @Test
  void back_by_a_span_never_moves_forward() throws Exception {
    CommandRun done = reset("--by", "-10m", "--yes");
    assertThat(done.exitCode()).as(done.err()).isZero();
    assertThat(done.out()).containsPattern(topic + " +1 +1 +1 +stays");
    assertThat(committed()).isEqualTo(Map.of(0, 3L, 1, 1L));
    CommandRun again = reset("--by=-10m", "--yes");
    assertThat(again.exitCode()).isZero();
    assertThat(again.err()).contains("stands there already");
    assertThat(world.superuser("SELECT count(*) FROM onceward.ops_actions")).isEqualTo("2");
  }

  @Test
  void to_an_event_its_partition_goes_to_its_record() throws Exception {
    Tenant tenant = world.database().newTenant();
    List<UUID> ids = world.write(tenant, "thing", 30);
    world.audit();
    world.json("replay", "--aggregate", "thing", "--yes");
    EventRecord wanted = world.originals(ids).get(17);
    long offset =
        world.records(topic).stream()
            .filter(record -> Arrays.equals(record.key(), wanted.key()))
            .findFirst()
            .orElseThrow()
            .offset();
    Map<Integer, Long> expected = new TreeMap<>(committed());
    expected.put(wanted.partition(), offset);

    CommandRun done = reset("--to-event", wanted.eventId().toString(), "--yes");

    assertThat(done.exitCode()).as(done.err()).isZero();
    assertThat(committed()).isEqualTo(expected);
  }

  @Test
  void to_an_offset_goes_what_is_named() throws Exception {
    assertThat(
            reset("--to-offset", topic + ":0:0", "--to-offset", topic + ":1:3", "--yes").exitCode())
        .isZero();
    assertThat(committed()).isEqualTo(Map.of(0, 0L, 1, 3L));
  }

  @Test
  void what_cannot_be_is_refused_and_moves_nothing() throws Exception {
    assertUsage("in one way");
    assertUsage("in one way", "--by", "-1m", "--to-time", now.toString());
    assertUsage("how far back", "--by", "10m");
    assertUsage("how far back", "--by", "-0s");
    assertUsage("before 1970", "--by", "-99999999d");
    assertUsage("before 1970", "--to-time", "1969-01-01T00:00:00Z");
    assertUsage("--topic goes with", "--topic", topic, "--to-offset", topic + ":0:1");
    assertUsage("TOPIC:PARTITION:OFFSET", "--to-offset", topic + ":0");
    assertUsage("TOPIC:PARTITION:OFFSET", "--to-offset", topic + ":x:1");
    assertUsage("twice", "--to-offset", topic + ":0:1", "--to-offset", topic + ":0:2");
    assertUsage("UUID", "--to-event", "one");
    assertUsage("--yes", "--to-offset", topic + ":0:1"); // nobody to ask
    assertUnchanged();

    assertRefused("still to come", "--to-time", now.plusSeconds(3600).toString());
    assertRefused("no topic", "--to-offset", topic + "x:0:1");
    assertRefused("no topic", "--topic", topic + "x", "--by", "-1m");
    assertRefused("never read topic", "--topic", world.topic("order"), "--by", "-1m");
    assertRefused("has no partition 3", "--to-offset", topic + ":3:0");
    assertRefused("has no partition -1", "--to-offset", topic + ":-1:0");
    assertRefused("out of range", "--to-offset", topic + ":0:6");
    assertRefused("out of range", "--to-offset", topic + ":0:1", "--to-offset", topic + ":1:-1");
    assertRefused("has no event", "--to-event", UUID.randomUUID().toString());
    UUID pending = world.write(world.database().newTenant(), "thing", 1).get(0);
    assertRefused("not sent yet", "--to-event", pending.toString());
    CommandRun unknown = world.run("offsets", "reset", "--group", "nobody", "--by", "-1m", "--yes");
    assertThat(unknown.exitCode()).isEqualTo(1);
    assertThat(unknown.err()).contains("there is no group \"nobody\"");
    assertThat(world.run("offsets").exitCode()).isEqualTo(2);
    assertUnchanged();
  }

  @Test
  void a_time_that_the_topic_does_not_keep_is_out_of_range() throws Exception {
    topics.admin().deleteRecords(Map.of(at(0), RecordsToDelete.beforeOffset(2))).all().get();
    CommandRun within = reset("--to-time", ago(60).toString(), "--dry-run");
    assertThat(within.out()).containsPattern(topic + " +0 +5 +2 +the oldest record that is kept");
    topics
        .admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topic),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("retention.ms", "2100000"), AlterConfigOp.OpType.SET))))
        .all()
        .get();
    assertRefused("keeps records for PT35M", "--to-time", ago(60).toString());
    assertRefused("out of range", "--to-offset", topic + ":0:1");
    assertUnchanged();
  }

  @Test
  void a_group_with_members_is_refused() throws Exception {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", topics.bootstrapServers());
    settings.put("group.id", group);
    settings.put("enable.auto.commit", "false");
    try (KafkaConsumer<byte[], byte[]> member =
        new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer())) {
      member.subscribe(List.of(topic));
      while (member.assignment().isEmpty()) {
        member.poll(Duration.ofMillis(200));
      }
      assertRefused("is live", "--to-offset", topic + ":0:1");
      assertUnchanged();
    }
    assertThat(reset("--to-offset", topic + ":0:1", "--yes").exitCode()).isZero();
    assertThat(committed()).isEqualTo(Map.of(0, 1L, 1, 1L));
  }

  private void send(int partition, int minutesAgo) throws Exception {
    world.send(topic, partition, "k", ago(minutesAgo));
  }

  private Instant ago(int minutes) {
    return now.minus(Duration.ofMinutes(minutes));
  }

  private TopicPartition at(int partition) {
    return new TopicPartition(topic, partition);
  }

  private void commit(Map<TopicPartition, Long> offsets) throws Exception {
    Map<TopicPartition, OffsetAndMetadata> request = new HashMap<>();
    offsets.forEach((partition, offset) -> request.put(partition, new OffsetAndMetadata(offset)));
    topics.admin().alterConsumerGroupOffsets(group, request).all().get();
  }

  private Map<Integer, Long> committed() throws Exception {
    Map<Integer, Long> committed = new TreeMap<>();
    topics
        .admin()
        .listConsumerGroupOffsets(group)
        .partitionsToOffsetAndMetadata()
        .get()
        .forEach((partition, offset) -> committed.put(partition.partition(), offset.offset()));
    return committed;
  }

  private CommandRun reset(String... arguments) {
    return world.run(
        Stream.concat(Stream.of("offsets", "reset", "--group", group), Arrays.stream(arguments))
            .toArray(String[]::new));
  }

  private void assertUsage(String named, String... arguments) {
    CommandRun run = reset(arguments);
    assertThat(run.exitCode()).as(run.err()).isEqualTo(2);
    assertThat(run.err()).contains(named);
  }

  private void assertRefused(String named, String... arguments) {
    CommandRun run =
        reset(Stream.concat(Arrays.stream(arguments), Stream.of("--yes")).toArray(String[]::new));
    assertThat(run.exitCode()).as(run.err()).isEqualTo(1);
    assertThat(run.err()).contains(named);
  }

  private void assertUnchanged() throws Exception {
    assertThat(committed()).isEqualTo(Map.of(0, 5L, 1, 1L));
    assertThat(world.superuser("SELECT count(*) FROM onceward.ops_actions")).isEqualTo("0");
  }
}
