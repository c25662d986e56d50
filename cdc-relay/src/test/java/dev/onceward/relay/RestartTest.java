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
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What a relay begins with, repeats and counts. */
@ExtendWith(InfrastructureExtension.class)
class RestartTest {
  private MigratedDatabase database;
  private TestOutbox outbox;
  private TestTopics topics;
  private TestRelay relay;

  @BeforeEach
  void start(PostgresServer postgres, TestTopics topics) throws SQLException {
    this.topics = topics;
    database = MigratedDatabase.create(postgres);
    outbox = new TestOutbox(database);
    relay =
        TestRelay.start(TestRelay.settings(database, topics.bootstrapServers(), topics.prefix()));
    relay.awaitUp();
  }

  @AfterEach
  void stop() throws SQLException {
    relay.close();
    database.close();
  }

  @Test
  void what_was_written_while_no_relay_ran_is_sent_by_the_next() throws Exception {
    relay.close();
    UUID meanwhile = outbox.append("a", "1");
    relay =
        TestRelay.start(TestRelay.settings(database, topics.bootstrapServers(), topics.prefix()));

    awaitRecords(Set.of(meanwhile));
  }

  @Test
  void an_orderly_restart_repeats_at_most_the_last_transaction() throws Exception {
    Set<UUID> written = new HashSet<>();
    for (int i = 0; i < 20; i++) {
      written.add(outbox.append("a" + i, "1"));
    }
    awaitRecords(written);
    relay.close();
    relay =
        TestRelay.start(TestRelay.settings(database, topics.bootstrapServers(), topics.prefix()));
    UUID sentinel = outbox.append("sentinel", "1");
    written.add(sentinel);

    assertThat(awaitRecords(written)).hasSizeBetween(21, 22);
  }

  @Test
  void the_metrics_count_what_was_published() throws Exception {
    Set<UUID> written = Set.of(outbox.append("a", "1"), outbox.append("b", "2"));
    List<ConsumerRecord<byte[], byte[]>> records = awaitRecords(written);
    long bytes =
        records.stream()
            .mapToLong(
                r -> {
                  long headers = 0;
                  for (var header : r.headers()) {
                    headers += header.key().length() + header.value().length;
                  }
                  return r.key().length + r.value().length + headers;
                })
            .sum();

    await()
        .untilAsserted(
            () -> assertThat(relay.count("onceward.relay.events.published")).isEqualTo(2));
    assertThat(relay.count("onceward.relay.published")).isEqualTo((double) bytes);
    assertThat(relay.count("onceward.relay.batches")).isBetween(1.0, 2.0);
    assertThat(relay.gauge("onceward.relay.lag")).isLessThan(2);
    await()
        .untilAsserted(() -> assertThat(relay.gauge("onceward.relay.slot.retained")).isPositive());
    assertThat(relay.counter("onceward.relay.engine.restarts")).isZero();
    assertThat(relay.gauge("onceward.relay.partitions.missing")).isZero();
  }

  private List<ConsumerRecord<byte[], byte[]>> awaitRecords(Set<UUID> expected) {
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () -> TestRecords.read(topics.bootstrapServers(), topics.prefix()),
            records -> TestRecords.ids(records).containsAll(expected));
  }
}
