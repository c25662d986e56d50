package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.UuidV7;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.EventHeaders;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What leaves the database, and in which form and order. One relay; each test has a workspace. */
@ExtendWith(InfrastructureExtension.class)
class StreamingTest {
  private static MigratedDatabase database;
  private static TestTopics topics;
  private static TestRelay relay;

  private TestOutbox outbox;

  @BeforeAll
  static void start(PostgresServer postgres, TestTopics ownTopics) throws SQLException {
    topics = ownTopics;
    database = MigratedDatabase.create(postgres);
    Map<String, String> settings =
        TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
    settings.put("onceward.topic-routes", "order.rushed=" + topics.name("rush"));
    relay = TestRelay.start(settings).awaitUp();
  }

  @BeforeEach
  void newWorkspace() {
    outbox = new TestOutbox(database);
  }

  @AfterAll
  static void stop() throws SQLException {
    relay.close();
    database.close();
  }

  @Test
  @Tag("S23")
  @Tag("S25")
  void a_payload_reaches_kafka_byte_for_byte() throws Exception {
    List<String> payloads =
        List.of(
            "{}",
            "[]",
            "null",
            "\"text\"",
            "0",
            "{\"a\":[[],[{\"b\":1}]]}",
            "{\"a\":[1,\"x\",null]}",
            "{ \"b.c d\" : 1.50 ,\n\t\"\":1e400, \"b\": 12345678901234567890.000, \"b\":2}",
            "\"Юникод e\u0301 😀 \\u0041 \\\\u0000 \\/\"",
            "\"\\u0000\"",
            "[".repeat(900) + "]".repeat(900),
            "\"" + "x".repeat(250_000) + "\"");
    Map<UUID, String> written = new HashMap<>();
    for (String payload : payloads) {
      written.put(outbox.append("7", payload), payload);
    }

    Map<UUID, String> read = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : awaitRecords(written.keySet())) {
      read.put(TestRecords.id(record), EnvelopeCodec.decode(record.value()).payload().text());
    }
    assertThat(read).isEqualTo(written);
  }

  @Test
  void a_record_says_everything_that_the_row_says() throws Exception {
    String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    NewEvent event =
        new NewEvent(
            UuidV7.next(),
            "order.placed",
            3,
            "order",
            "Nr. 7 \"ü\" 😀",
            "invoice",
            "r-9",
            "business",
            "request",
            "correlation",
            traceparent,
            "{\"total\":1}");
    outbox.append(List.of(event));

    ConsumerRecord<byte[], byte[]> record = awaitRecords(Set.of(event.id())).get(0);
    Envelope envelope = EnvelopeCodec.decode(record.value());

    assertThat(record.topic()).isEqualTo(topics.name("order"));
    assertThat(envelope)
        .isEqualTo(
            new Envelope(
                event.id(),
                "order.placed",
                3,
                outbox.workspaceId(),
                "order",
                "Nr. 7 \"ü\" 😀",
                "invoice",
                "r-9",
                "business",
                "request",
                "correlation",
                Instant.ofEpochMilli(event.id().getMostSignificantBits() >>> 16),
                envelope.payload()));
    assertThat(header(record, EventHeaders.EVENT_TYPE)).isEqualTo("order.placed");
    assertThat(header(record, EventHeaders.WORKSPACE_ID))
        .isEqualTo(outbox.workspaceId().toString());
    assertThat(header(record, EventHeaders.PAYLOAD_VERSION)).isEqualTo("3");
    assertThat(header(record, EventHeaders.TRACEPARENT)).isEqualTo(traceparent);
    assertThat(record.headers()).hasSize(4);
  }

  @Test
  void an_event_with_a_route_goes_to_the_topic_of_its_route() throws Exception {
    NewEvent routed = NewEvent.of("order.rushed", "order", "1", "1");
    NewEvent other = TestOutbox.event("1", "2");
    outbox.append(List.of(routed, other));

    assertThat(awaitRecords(Set.of(routed.id(), other.id())))
        .extracting(TestRecords::id, ConsumerRecord::topic)
        .containsExactlyInAnyOrder(
            tuple(routed.id(), topics.name("rush")), tuple(other.id(), topics.name("order")));
  }

  @Test
  @Tag("S21")
  void rolled_back_work_never_leaves() throws Exception {
    UUID kept;
    try (Connection connection = outbox.begin()) {
      OutboxWriter.append(connection, TestOutbox.event("rolled back", "1"));
      connection.rollback();
    }
    try (Connection connection = outbox.begin()) {
      NewEvent event = TestOutbox.event("kept", "1");
      kept = event.id();
      OutboxWriter.append(connection, event);
      Savepoint savepoint = connection.setSavepoint();
      OutboxWriter.append(connection, TestOutbox.event("behind the savepoint", "1"));
      connection.rollback(savepoint);
      connection.commit();
    }
    try (Connection connection = outbox.begin();
        Connection superuser = database.superuser();
        Statement statement = connection.createStatement();
        Statement killer = superuser.createStatement()) {
      OutboxWriter.append(connection, TestOutbox.event("killed", "1"));
      try (var pid = statement.executeQuery("SELECT pg_backend_pid()")) {
        pid.next();
        killer.execute("SELECT pg_terminate_backend(" + pid.getInt(1) + ")");
      }
    }
    UUID sentinel = outbox.append("sentinel", "1");

    assertThat(TestRecords.ids(awaitRecords(Set.of(kept, sentinel))))
        .containsExactlyInAnyOrder(kept, sentinel);
  }

  @Test
  void the_events_of_an_aggregate_stay_in_commit_order_on_one_partition() throws Exception {
    Map<String, List<UUID>> written = new HashMap<>();
    for (int transaction = 0; transaction < 60; transaction++) {
      List<NewEvent> events = new ArrayList<>();
      for (int i = 0; i <= transaction % 4; i++) {
        events.add(TestOutbox.event("aggregate-" + (transaction + i) % 7, "1"));
      }
      outbox.append(events);
      for (NewEvent event : events) {
        written.computeIfAbsent(event.aggregateId(), id -> new ArrayList<>()).add(event.id());
      }
    }
    Set<UUID> all = new HashSet<>();
    written.values().forEach(all::addAll);

    Map<String, List<UUID>> read = new HashMap<>();
    Map<String, Set<Integer>> partitions = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : awaitRecords(all)) {
      Envelope envelope = EnvelopeCodec.decode(record.value());
      read.computeIfAbsent(envelope.aggregateId(), id -> new ArrayList<>()).add(envelope.eventId());
      partitions
          .computeIfAbsent(envelope.aggregateId(), id -> new HashSet<>())
          .add(record.partition());
    }
    assertThat(read).isEqualTo(written);
    assertThat(partitions.values()).allSatisfy(used -> assertThat(used).hasSize(1));
    assertThat(partitions.values().stream().distinct().count()).isGreaterThan(1);
  }

  @Test
  @Tag("S07")
  @Tag("S08")
  @Tag("S09")
  @Tag("S10")
  @Tag("S11")
  void only_the_insert_of_a_row_is_an_event() throws Exception {
    NewEvent gone = TestOutbox.event("gone", "1");
    UUID changed = outbox.append("changed", "\"" + "x".repeat(50_000) + "\"");
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      superuser.setAutoCommit(false);
      WorkspaceContext.set(superuser, outbox.workspaceId());
      OutboxWriter.append(superuser, gone);
      statement.execute("DELETE FROM onceward.outbox_events WHERE id = '" + gone.id() + "'");
      superuser.commit();
      statement.execute("UPDATE onceward.outbox_events SET created_at = now()");
      superuser.commit();
      statement.execute("DELETE FROM onceward.outbox_events");
      superuser.commit();
      statement.execute("TRUNCATE onceward.outbox_events");
      superuser.commit();
    }
    UUID sentinel = outbox.append("sentinel", "1");

    List<ConsumerRecord<byte[], byte[]>> records =
        awaitRecords(Set.of(gone.id(), changed, sentinel));
    assertThat(records).hasSize(3).allSatisfy(record -> assertThat(record.value()).isNotNull());
    relay.awaitUp();
  }

  @Test
  @Tag("S22")
  void the_times_that_a_table_can_hold_do_not_stop_the_stream() throws Exception {
    Map<UUID, Instant> times = new HashMap<>();
    for (String time :
        List.of(
            "1970-01-01T00:00:00Z",
            "1999-12-31T23:59:59.999Z",
            "2038-01-19T03:14:08Z",
            "9999-12-31T23:59:59.999Z")) {
      Instant instant = Instant.parse(time);
      times.put(idAt(instant.toEpochMilli()), instant);
    }
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      superuser.setAutoCommit(false);
      WorkspaceContext.set(superuser, outbox.workspaceId());
      for (UUID id : times.keySet()) {
        OutboxWriter.append(
            superuser,
            new NewEvent(
                id, "order.placed", 1, "order", "a", "order", "a", null, null, null, null, "{}"));
      }
      superuser.commit();
      // A column that is not published may hold what no other system understands.
      for (String extreme : List.of("infinity", "-infinity", "0001-01-01 BC", "1582-10-04")) {
        statement.execute("UPDATE onceward.outbox_events SET created_at = '" + extreme + "'");
        superuser.commit();
      }
    }
    Map<UUID, Instant> told = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : awaitRecords(times.keySet())) {
      Envelope envelope = EnvelopeCodec.decode(record.value());
      told.put(envelope.eventId(), envelope.occurredAt());
    }
    assertThat(told).isEqualTo(times);
    awaitRecords(Set.of(outbox.append("sentinel", "1")));
    relay.awaitUp();
  }

  @Test
  @Tag("S12")
  @Tag("S13")
  void columns_and_partitions_may_come_and_go_while_streaming() throws Exception {
    UUID before = outbox.append("a", "1");
    UUID during;
    UUID inNewPartition;
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute("ALTER TABLE onceward.outbox_events ADD COLUMN extra text DEFAULT 'd'");
      during = outbox.append("b", "2");
      statement.execute("ALTER TABLE onceward.outbox_events DROP COLUMN extra");
      statement.execute("SELECT * FROM onceward.outbox_create_partitions(20, 20)");
      inNewPartition = idInDays(20);
      outbox.append(List.of(withId(inNewPartition)));
      String partition;
      try (var name =
          statement.executeQuery(
              "SELECT tableoid::regclass::text FROM onceward.outbox_events WHERE id = '"
                  + inNewPartition
                  + "'")) {
        name.next();
        partition = name.getString(1);
      }
      assertThat(partition).isNotEqualTo("onceward.outbox_events_default");
      statement.execute("ALTER TABLE onceward.outbox_events DETACH PARTITION " + partition);
      statement.execute("DROP TABLE " + partition);
    }
    UUID after = outbox.append("c", "3");

    assertThat(TestRecords.ids(awaitRecords(Set.of(before, during, inNewPartition, after))))
        .hasSize(4);
  }

  /** All records of the test's workspace, once these are among them. */
  private List<ConsumerRecord<byte[], byte[]>> awaitRecords(Set<UUID> expected) {
    String workspace = outbox.workspaceId().toString();
    return await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                TestRecords.read(topics.bootstrapServers(), topics.prefix()).stream()
                    .filter(record -> header(record, EventHeaders.WORKSPACE_ID).equals(workspace))
                    .toList(),
            records -> TestRecords.ids(records).containsAll(expected));
  }

  private static UUID idInDays(int days) {
    return idAt(Instant.now().plus(Duration.ofDays(days)).toEpochMilli());
  }

  private static UUID idAt(long millis) {
    return new UUID(millis << 16 | 0x7000L, UUID.randomUUID().getLeastSignificantBits());
  }

  private static NewEvent withId(UUID id) {
    NewEvent event = TestOutbox.event("later", "1");
    return new NewEvent(
        id,
        event.eventType(),
        1,
        event.aggregateType(),
        event.aggregateId(),
        event.resourceType(),
        event.resourceId(),
        null,
        null,
        null,
        null,
        event.payload());
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return EventHeaders.text(record.headers(), name).orElseThrow();
  }
}
