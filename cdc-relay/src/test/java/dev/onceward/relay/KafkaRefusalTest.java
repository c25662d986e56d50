package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.NewPartitions;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Topics that are not as they should be. What is parked for that: {@link ParkingTest}. */
@ExtendWith(InfrastructureExtension.class)
class KafkaRefusalTest {
  private MigratedDatabase database;
  private TestOutbox outbox;
  private TestTopics topics;
  private Map<String, String> settings;

  @BeforeEach
  void prepare(PostgresServer postgres, TestTopics topics) throws SQLException {
    this.topics = topics;
    database = MigratedDatabase.create(postgres);
    outbox = new TestOutbox(database);
    settings = TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void topics_are_made_as_configured() throws Exception {
    settings.put("onceward.relay.topic-partitions", "3");
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      awaitIds(Set.of(outbox.append("a", "1")));

      assertThat(partitions()).isEqualTo(3);
      relay.awaitUp();
    }
  }

  @Test
  void a_topic_that_grows_keeps_its_aggregates_where_they_are() throws Exception {
    settings.put("onceward.relay.topic-partitions", "1");
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      awaitIds(Set.of(outbox.append("a", "1")));
      relay.awaitUp();
    }
    topics
        .admin()
        .createPartitions(Map.of(topics.name("order"), NewPartitions.increaseTo(8)))
        .all()
        .get();
    try (TestRelay relay = TestRelay.start(settings)) {
      Set<UUID> written = new HashSet<>();
      for (int i = 0; i < 10; i++) {
        written.add(outbox.append("a" + i, "2"));
      }
      List<ConsumerRecord<byte[], byte[]>> records = awaitIds(written);

      assertThat(partitions()).isEqualTo(8);
      assertThat(records).allSatisfy(record -> assertThat(record.partition()).isZero());
      relay.awaitUp();
    }
  }

  @Test
  void a_topic_that_comes_back_smaller_stops_its_events_with_the_reason() throws Exception {
    topics.create("order", 4);
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      awaitIds(Set.of(outbox.append("a", "1")));
      relay.awaitUp();
    }
    topics.admin().deleteTopics(List.of(topics.name("order"))).all().get();
    await().ignoreExceptions().until(() -> topics.create("order", 2) != null);
    try (TestRelay relay = TestRelay.start(settings)) {
      UUID waiting = outbox.append("a", "2");
      relay.awaitDown("has 2 partitions, but 4 are pinned");
      topics
          .admin()
          .createPartitions(Map.of(topics.name("order"), NewPartitions.increaseTo(4)))
          .all()
          .get();
      awaitIds(Set.of(waiting));
    }
  }

  private int partitions() throws Exception {
    var described = topics.admin().describeTopics(List.of(topics.name("order"))).allTopicNames();
    return described.get().values().iterator().next().partitions().size();
  }

  private List<ConsumerRecord<byte[], byte[]>> awaitIds(Set<UUID> expected) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> TestRecords.read(topics.bootstrapServers(), topics.prefix()),
            records -> TestRecords.ids(records).containsAll(expected));
  }
}
