package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.relay.ParkedEventStore;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.EventHeaders;
import dev.onceward.process.Health;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What one topic does not take holds up no other, and arrives when it can. */
@ExtendWith(InfrastructureExtension.class)
class ParkingTest {
  private MigratedDatabase database;
  private TestOutbox outbox;
  private TestTopics topics;
  private TestParked parked;
  private Map<String, String> settings;

  @BeforeEach
  void prepare(PostgresServer postgres, TestTopics topics) throws SQLException {
    this.topics = topics;
    database = MigratedDatabase.create(postgres);
    outbox = new TestOutbox(database);
    parked = new TestParked(database, topics.bootstrapServers(), topics.prefix());
    settings = TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  @Tag("S24")
  void an_event_too_large_for_its_topic_is_a_dead_letter_until_it_is_redriven() throws Exception {
    topics.create("order", 1);
    configure("max.message.bytes", "2000");
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      UUID tooLarge;
      List<UUID> fitting = new ArrayList<>();
      List<NewEvent> together = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        together.add(TestOutbox.event("a", Integer.toString(i)));
      }
      NewEvent large = TestOutbox.event("a", "\"" + "x".repeat(10_000) + "\"");
      together.add(10, large);
      tooLarge = large.id();
      together.forEach(event -> fitting.add(event.id()));
      fitting.remove(tooLarge);
      outbox.append(together);

      parked.awaitParked("dead_letter", Set.of(tooLarge));
      assertThat(TestParked.order(parked.awaitDelivered(fitting))).isEqualTo(fitting);
      assertThat(
              parked.ask(
                  "SELECT last_error_code || ' ' || attempt_count FROM onceward.parked_events"))
          .isEqualTo("OUTBOX_PERMANENT_FAILURE 0");
      assertThat(relay.count("onceward.parked.dead")).isEqualTo(1);
      await().until(() -> relay.gauge("onceward.parked.dead.letter") == 1);
      relay.awaitUp();
      assertThat(status(tooLarge)).isEqualTo("dead_letter");

      configure("max.message.bytes", "1000000");
      UUID replay = UUID.randomUUID();
      assertThat(redrive(tooLarge, replay)).isEqualTo(1);
      List<ConsumerRecord<byte[], byte[]>> records = parked.awaitDelivered(Set.of(tooLarge));
      assertThat(EventHeaders.text(records.get(20).headers(), EventHeaders.REPLAY_ID))
          .hasValue(replay.toString());
      parked.awaitAllDispatched();
      assertThat(parked.withStatus("dead_letter")).isEmpty();
    }
  }

  @Test
  @Tag("S26")
  void types_that_are_no_legal_topic_are_dead_letters_and_the_rest_flow() throws Exception {
    dropChecks();
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      List<UUID> illegal = new ArrayList<>();
      List<UUID> legal = new ArrayList<>();
      for (String type : List.of("Dont care", "x".repeat(300), "a/b", "a\nb", "caf\u00e9")) {
        illegal.add(insertRaw(type));
        legal.add(outbox.append("a", Integer.toString(legal.size())));
      }

      assertThat(TestParked.order(parked.awaitDelivered(legal))).containsSubsequence(legal);
      parked.awaitParked("dead_letter", illegal);
      assertThat(parked.ask("SELECT max(last_error_code) FROM onceward.parked_events"))
          .isEqualTo("OUTBOX_PERMANENT_FAILURE");
      relay.awaitUp();
      illegal.forEach(database::wrongOnPurpose);
    }
  }

  @Test
  @Tag("S29")
  void events_of_a_missing_topic_park_at_once_and_arrive_in_order_once_it_is_made()
      throws Exception {
    settings.put("onceward.relay.create-topics", "false");
    topics.create("invoice", 1);
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      List<UUID> orders = new ArrayList<>();
      for (int i = 0; i < 30; i++) {
        orders.add(outbox.append("a" + i % 3, Integer.toString(i)));
      }
      UUID gone = insertAndDelete();
      orders.add(gone);
      UUID other = outbox.appendInvoice("i");

      parked.awaitDelivered(Set.of(other));
      parked.awaitParked("pending", orders);
      relay.awaitDown("parked: events of topic " + topics.name("order") + " are parked");
      assertThat(relay.health().reasons().toString())
          .contains("topic " + topics.name("order") + " is missing");
      assertThat(relay.health().reasons()).hasSize(1);
      assertThat(status(orders.get(0))).isEqualTo("parked");
      await().until(() -> relay.gauge("onceward.parked.pending") == 31);

      topics.create("order", 1);
      orders.add(outbox.append("a0", "30"));
      List<UUID> arrived = TestParked.order(parked.awaitDelivered(orders));
      for (int aggregate = 0; aggregate < 3; aggregate++) {
        List<UUID> ofOne = new ArrayList<>();
        for (int i = aggregate; i < 30; i += 3) {
          ofOne.add(orders.get(i));
        }
        if (aggregate == 0) {
          ofOne.add(orders.get(31));
        }
        assertThat(arrived).containsSubsequence(ofOne);
      }
      parked.awaitAllDispatched();
      relay.awaitUp();
      UUID direct = outbox.append("a0", "31");
      parked.awaitDelivered(Set.of(direct));
      assertThat(TestRecords.count(topics.bootstrapServers(), topics.prefix())).isEqualTo(34);
      assertThat(parked.withStatus("pending")).isEmpty();
      assertThat(relay.count("onceward.parked.events")).isEqualTo(32);
      assertThat(relay.count("onceward.parked.delivered")).isEqualTo(32);
      assertThat(relay.count("onceward.audit.missing")).isZero();
    }
  }

  @Test
  void what_is_parked_outlives_the_relay_and_comes_once() throws Exception {
    settings.put("onceward.relay.create-topics", "false");
    List<UUID> orders = new ArrayList<>();
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      for (int i = 0; i < 10; i++) {
        orders.add(outbox.append("a", Integer.toString(i)));
      }
      parked.awaitParked("pending", orders);
    }
    topics.create("order", 1);
    orders.add(outbox.append("a", "10"));
    try (TestRelay relay = TestRelay.start(settings)) {
      assertThat(TestParked.order(parked.awaitDelivered(orders))).isEqualTo(orders);
      parked.awaitAllDispatched();
      assertThat(TestRecords.count(topics.bootstrapServers(), topics.prefix())).isEqualTo(11);
      relay.awaitUp();
    }
  }

  @Test
  void a_topic_that_cannot_be_made_while_kafka_answers_parks_after_its_patience() throws Exception {
    settings.put("onceward.relay.topic-patience", "3s");
    settings.put("onceward.relay.topic-replication", "3");
    topics.create("invoice", 1);
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      List<UUID> orders = List.of(outbox.append("a", "1"), outbox.append("a", "2"));
      UUID other = outbox.appendInvoice("i");

      parked.awaitDelivered(Set.of(other));
      parked.awaitParked("pending", orders);
      relay.awaitDown("parked: events of topic " + topics.name("order"));
      assertThat(relay.health().reasons().toString()).contains("InvalidReplicationFactor");
      topics.create("order", 1);

      assertThat(TestParked.order(parked.awaitDelivered(orders))).containsSubsequence(orders);
      parked.awaitAllDispatched();
      relay.awaitUp();
    }
  }

  @Test
  void with_strict_ordering_nothing_overtakes_an_event_whose_topic_is_missing() throws Exception {
    settings.put("onceward.relay.create-topics", "false");
    settings.put("onceward.relay.ordering", "strict");
    settings.put("onceward.relay.topic-patience", "1s");
    topics.create("invoice", 1);
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      UUID order = outbox.append("a", "1");
      relay.awaitDown("topic " + topics.name("order") + " is missing");
      UUID behind = outbox.appendInvoice("i");
      await()
          .during(Duration.ofSeconds(3))
          .atMost(Duration.ofSeconds(10))
          .until(() -> TestRecords.count(topics.bootstrapServers(), topics.prefix()) == 0);
      assertThat(parked.withStatus("pending")).isEmpty();
      topics.create("order", 1);

      parked.awaitDelivered(Set.of(order, behind));
      relay.awaitUp();
    }
  }

  @Test
  void a_topic_with_too_many_parked_events_holds_the_stream_back() throws Exception {
    settings.put("onceward.relay.create-topics", "false");
    settings.put("onceward.relay.parked-limit", "5");
    topics.create("invoice", 1);
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      List<UUID> orders = new ArrayList<>();
      List<NewEvent> written = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        NewEvent event = TestOutbox.event("a", Integer.toString(i));
        written.add(event);
        orders.add(event.id());
      }
      outbox.append(written);
      parked.awaitParked("pending", orders.subList(0, 5));
      relay.awaitDown("5 events of topic " + topics.name("order") + " are parked");
      UUID behind = outbox.appendInvoice("i");
      await()
          .during(Duration.ofSeconds(3))
          .atMost(Duration.ofSeconds(10))
          .until(() -> relay.health().status() == Health.Status.DOWN);
      assertThat(parked.withStatus("pending")).hasSize(5);
      assertThat(TestRecords.count(topics.bootstrapServers(), topics.prefix())).isZero();
      topics.create("order", 1);

      List<UUID> arrived = TestParked.order(parked.awaitDelivered(orders));
      assertThat(arrived).containsSubsequence(orders);
      parked.awaitDelivered(Set.of(behind));
      relay.awaitUp();
    }
  }

  /** As if another version of the table let everything in. */
  private void dropChecks() throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(
          """
          DO $$ DECLARE c text; BEGIN
            FOR c IN SELECT conname FROM pg_constraint
              WHERE conrelid = 'onceward.outbox_events'::regclass AND contype = 'c' LOOP
              EXECUTE format('ALTER TABLE onceward.outbox_events DROP CONSTRAINT %I', c);
            END LOOP;
          END $$
          """);
    }
  }

  private UUID insertRaw(String aggregateType) throws SQLException {
    UUID id = TestOutbox.event("a", "1").id();
    String insert =
        """
        INSERT INTO onceward.outbox_events (id, workspace_id, event_type, payload_version, aggregate_type, aggregate_id,
          resource_type, resource_id, payload) VALUES (?, ?, 'order.placed', 1, ?, '1', 'order', '1', '1')
        """;
    try (Connection superuser = database.superuser();
        PreparedStatement statement = superuser.prepareStatement(insert)) {
      statement.setObject(1, id);
      statement.setObject(2, outbox.workspaceId());
      statement.setString(3, aggregateType);
      statement.executeUpdate();
    }
    return id;
  }

  private UUID insertAndDelete() throws SQLException {
    NewEvent gone = TestOutbox.event("gone", "1");
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      superuser.setAutoCommit(false);
      WorkspaceContext.set(superuser, outbox.workspaceId());
      OutboxWriter.append(superuser, gone);
      statement.execute("DELETE FROM onceward.outbox_events WHERE id = '" + gone.id() + "'");
      superuser.commit();
    }
    return gone.id();
  }

  private int redrive(UUID id, UUID replay) throws SQLException {
    try (Connection ops = database.connect("onceward_ops")) {
      ops.setAutoCommit(false);
      WorkspaceContext.set(ops, outbox.workspaceId());
      int redriven = new ParkedEventStore().redrive(ops, List.of(id), replay);
      ops.commit();
      return redriven;
    }
  }

  private String status(UUID id) throws SQLException {
    return parked.ask(
        "SELECT status FROM onceward.outbox_event_status WHERE event_id = '" + id + "'");
  }

  private void configure(String setting, String value) throws Exception {
    topics
        .admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topics.name("order")),
                List.of(
                    new AlterConfigOp(new ConfigEntry(setting, value), AlterConfigOp.OpType.SET))))
        .all()
        .get();
  }
}
