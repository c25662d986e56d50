package dev.onceward.event.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestDatabase;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.RawJson;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import javax.sql.DataSource;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.ds.PGSimpleDataSource;

/** A consumer of another team: this library, a Kafka client, and its own database. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class InboxReaderTest {

  private static final Duration WAIT = Duration.ofMillis(200);

  private DataSource database;
  private TestTopics topics;
  private String topic;
  private KafkaProducer<byte[], byte[]> producer;
  private final List<KafkaConsumer<byte[], byte[]>> clients = new ArrayList<>();

  @BeforeEach
  void open(TestDatabase testDatabase, TestTopics testTopics) throws Exception {
    topics = testTopics;
    topic = topics.create("order", 2);
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setUrl(testDatabase.jdbcUrl());
    source.setUser(testDatabase.server().superuser());
    source.setPassword(testDatabase.server().superuserPassword());
    database = source;
    execute(Inbox.CREATE_TABLE);
    execute("CREATE TABLE revenue (event_id text NOT NULL)");
    execute("CREATE TABLE unreadable (topic_offset bigint, reason text)");
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", topics.bootstrapServers(), "acks", "all"),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  @AfterEach
  void close() {
    clients.forEach(KafkaConsumer::close);
    producer.close();
  }

  private static void book(Connection connection, Envelope event) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO revenue VALUES (?)")) {
      statement.setString(1, event.eventId().toString());
      statement.executeUpdate();
    }
  }

  private InboxReader reader(String group, InboxReader.Work work) {
    KafkaConsumer<byte[], byte[]> client =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers",
                topics.bootstrapServers(),
                "group.id",
                topics.prefix() + group,
                "enable.auto.commit",
                "false",
                "auto.offset.reset",
                "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    clients.add(client);
    client.subscribe(List.of(topic));
    return new InboxReader(
        client,
        database,
        new Inbox("billing"),
        work,
        (connection, record, why) -> {
          try (PreparedStatement statement =
              connection.prepareStatement("INSERT INTO unreadable VALUES (?, ?)")) {
            statement.setLong(1, record.offset());
            statement.setString(2, why.reason().name());
            statement.executeUpdate();
          }
        });
  }

  @Test
  void an_event_that_comes_again_and_again_takes_effect_once() throws Exception {
    List<Envelope> events = events(50);
    for (int copies = 0; copies < 3; copies++) {
      events.forEach(this::send);
    }
    InboxReader reader = reader("a", InboxReaderTest::book);
    AtomicInteger applied = new AtomicInteger();
    await()
        .atMost(Duration.ofSeconds(60))
        .until(() -> applied.addAndGet(reader.runOnce(WAIT)) == 50 && committed("a") == 150);
    assertThat(count("revenue")).isEqualTo(50);
    assertThat(count("(SELECT DISTINCT event_id FROM revenue) AS events")).isEqualTo(50);
  }

  @Test
  void two_that_read_everything_at_the_same_time_share_the_effects() throws Exception {
    List<Envelope> events = events(200);
    events.forEach(this::send);
    CompletableFuture<Integer> first = inBackground(reader("a", InboxReaderTest::book), "a", 200);
    CompletableFuture<Integer> second = inBackground(reader("b", InboxReaderTest::book), "b", 200);
    assertThat(first.get() + second.get()).isEqualTo(200);
    assertThat(count("revenue")).isEqualTo(200);
  }

  @Test
  void work_that_fails_leaves_nothing_and_its_event_is_offered_again() throws Exception {
    List<Envelope> events = events(10);
    events.forEach(this::send);
    AtomicInteger calls = new AtomicInteger();
    InboxReader reader =
        reader(
            "a",
            (connection, event) -> {
              book(connection, event);
              if (calls.incrementAndGet() == 5) {
                throw new SQLException("the fifth time the lights go out");
              }
            });
    assertThatThrownBy(
            () -> {
              while (true) {
                reader.runOnce(WAIT);
              }
            })
        .hasMessageContaining("lights");
    assertThat(count("revenue")).isEqualTo(4);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              reader.runOnce(WAIT);
              return committed("a") == 10;
            });
    assertThat(count("revenue")).isEqualTo(10);
    assertThat(calls.get()).isEqualTo(11);
  }

  @Test
  void records_that_are_no_events_are_kept_and_passed_over() throws Exception {
    sendBytes("not json".getBytes(StandardCharsets.UTF_8));
    sendBytes(null);
    send(events(1).get(0));
    InboxReader reader = reader("a", InboxReaderTest::book);
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              reader.runOnce(WAIT);
              return committed("a") == 3;
            });
    assertThat(count("unreadable")).isEqualTo(2);
    assertThat(count("revenue")).isEqualTo(1);
  }

  @Test
  void what_came_long_ago_can_be_forgotten() throws Exception {
    Inbox inbox = new Inbox("billing");
    UUID event = UUID.randomUUID();
    try (Connection connection = database.getConnection()) {
      assertThat(inbox.isNew(connection, event)).isTrue();
      assertThat(inbox.isNew(connection, event)).isFalse();
      assertThat(new Inbox("mail").isNew(connection, event)).as("another consumer").isTrue();
      assertThat(inbox.forget(connection, Instant.now().minusSeconds(60))).isZero();
      assertThat(inbox.forget(connection, Instant.now().plusSeconds(60))).isEqualTo(1);
      assertThat(inbox.isNew(connection, event)).isTrue();
    }
  }

  private CompletableFuture<Integer> inBackground(InboxReader reader, String group, long until) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            int applied = 0;
            while (committed(group) < until) {
              applied += reader.runOnce(WAIT);
            }
            return applied;
          } catch (Exception failure) {
            throw new IllegalStateException(failure);
          }
        });
  }

  private static List<Envelope> events(int count) {
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                new Envelope(
                    UUID.fromString("01890a5d-ac96-774b-bcce-%012x".formatted(i)),
                    "order.paid",
                    1,
                    new UUID(0, 1),
                    "order",
                    "order-" + i,
                    "order",
                    "order-" + i,
                    null,
                    null,
                    null,
                    Instant.ofEpochMilli(0x01890a5dac96L),
                    RawJson.of("{\"cents\":100}")))
        .toList();
  }

  private void send(Envelope event) {
    sendBytes(EnvelopeCodec.encode(event));
  }

  private void sendBytes(byte @Nullable [] value) {
    try {
      producer.send(new ProducerRecord<>(topic, value)).get();
    } catch (Exception failure) {
      throw new IllegalStateException(failure);
    }
  }

  private long committed(String group) throws Exception {
    return topics
        .admin()
        .listConsumerGroupOffsets(topics.prefix() + group)
        .partitionsToOffsetAndMetadata()
        .get()
        .values()
        .stream()
        .mapToLong(committed -> committed.offset())
        .sum();
  }

  private long count(String table) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT count(*) FROM " + table)) {
      row.next();
      return row.getLong(1);
    }
  }

  private void execute(String sql) throws SQLException {
    try (Connection connection = database.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
