package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The slot never stands beyond what Kafka has acknowledged. */
@ExtendWith(InfrastructureExtension.class)
class ConfirmationTest {
  private MigratedDatabase database;
  private TestOutbox outbox;
  private TestTopics topics;
  private KafkaBroker kafka;
  private Map<String, String> settings;

  @BeforeEach
  void prepare(PostgresServer postgres, KafkaBroker kafka, TestTopics topics) throws SQLException {
    this.topics = topics;
    this.kafka = kafka;
    database = MigratedDatabase.create(postgres);
    outbox = new TestOutbox(database);
    settings = TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
  }

  @AfterEach
  void drop() throws SQLException {
    kafka.resume();
    database.close();
  }

  @Test
  void the_slot_stays_behind_events_that_kafka_has_not_acknowledged() throws Exception {
    Set<UUID> written = new TreeSet<>();
    long acknowledged;
    try (TestRelay relay = TestRelay.start(settings).awaitUp();
        Connection late = outbox.begin()) {
      written.add(outbox.append("first", "1"));
      await().until(() -> TestRecords.count(topics.bootstrapServers(), topics.prefix()) == 1);

      kafka.suspend();
      // The late transaction writes first and commits last, and others commit in between.
      NewEvent lateEvent = TestOutbox.event("late", "1");
      OutboxWriter.append(late, lateEvent);
      written.add(outbox.append("early", "1"));
      // A watermark may be written and confirmed up to this commit, and none behind it.
      acknowledged = query("SELECT pg_current_wal_insert_lsn() - '0/0'");
      for (int i = 0; i < 4; i++) {
        written.add(outbox.append("early", "1"));
      }
      late.commit();
      written.add(lateEvent.id());
      written.add(outbox.append("last", "1"));
      writeElsewhere();

      // Six rounds and more of status updates and keepalives.
      await()
          .during(Duration.ofSeconds(7))
          .atMost(Duration.ofSeconds(20))
          .until(() -> confirmed() <= acknowledged);
      relay.awaitDown("kafka: ");
    }
    assertThat(confirmed()).as("after the relay's end").isLessThanOrEqualTo(acknowledged);

    try (TestRelay relay = TestRelay.start(settings)) {
      kafka.resume();
      relay.awaitUp();
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () ->
                  assertThat(
                          TestRecords.ids(
                              TestRecords.read(topics.bootstrapServers(), topics.prefix())))
                      .isEqualTo(written));
    }
  }

  @Test
  @Tag("S20")
  void a_kafka_that_hangs_in_a_large_transaction_only_delays_it() throws Exception {
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      List<NewEvent> events = new ArrayList<>();
      for (int i = 0; i < 20_000; i++) {
        events.add(TestOutbox.event("a" + i % 50, "{\"n\":" + i + "}"));
      }
      Set<UUID> written = new TreeSet<>();
      events.forEach(event -> written.add(event.id()));
      outbox.append(events);
      await()
          .pollInterval(Duration.ofMillis(20))
          .until(() -> relay.count("onceward.relay.events.published") > 0);
      for (int round = 0; round < 2; round++) {
        kafka.suspend();
        double before = relay.count("onceward.relay.events.published");
        relay.awaitDown("kafka: ");
        kafka.resume();
        await().until(() -> relay.count("onceward.relay.events.published") > before);
      }
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  TestRecords.ids(TestRecords.read(topics.bootstrapServers(), topics.prefix()))
                      .equals(written));
      relay.awaitUp();
      assertThat(relay.counter("onceward.relay.engine.restarts")).isZero();
    }
  }

  @Test
  void an_idle_relay_is_up_and_costs_no_restart() throws Exception {
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      await()
          .during(Duration.ofSeconds(12))
          .atMost(Duration.ofSeconds(25))
          .until(() -> relay.health().reasons().isEmpty());
      assertThat(relay.counter("onceward.relay.engine.restarts")).isZero();
      assertThat(relay.gauge("onceward.relay.lag")).isLessThan(2);
    }
  }

  private long confirmed() throws SQLException {
    return query(
        "SELECT confirmed_flush_lsn - '0/0' FROM pg_replication_slots WHERE slot_name = '"
            + TestRelay.slotName(database)
            + "'");
  }

  private long query(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Work that is not published, in a table of its own. */
  private void writeElsewhere() throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute("CREATE TABLE elsewhere AS SELECT generate_series(1, 1000) AS n");
      statement.execute("UPDATE elsewhere SET n = n + 1");
    }
  }
}
