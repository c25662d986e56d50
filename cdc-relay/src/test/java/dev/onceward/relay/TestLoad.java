package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.UndecodableRecordException;
import java.nio.ByteBuffer;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steady transactions of some events each, by one writer, so that the order of writing is the order
 * of commits. It goes on while the database is away: what the table holds at the end is the truth.
 */
final class TestLoad implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(TestLoad.class);
  private static final int AGGREGATES = 12;

  private final MigratedDatabase database;
  private final TestOutbox outbox;
  private final int mostEvents;
  private final Random random = new Random(7);
  private final List<NewEvent> written = Collections.synchronizedList(new ArrayList<>());
  private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
  private final ScheduledFuture<?> writing;

  private TestLoad(MigratedDatabase database, int mostEvents, Duration pace) {
    this.database = database;
    this.outbox = new TestOutbox(database);
    this.mostEvents = mostEvents;
    this.writing =
        writer.scheduleAtFixedRate(this::write, 0, pace.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** About 200 events a second in transactions of 1 to 20. */
  static TestLoad start(MigratedDatabase database) {
    return new TestLoad(database, 20, Duration.ofMillis(50));
  }

  /** About 2,000 events a second in transactions of 1 to 500, as far as the machine allows. */
  static TestLoad startHeavy(MigratedDatabase database) {
    return new TestLoad(database, 500, Duration.ofMillis(125));
  }

  private void write() {
    List<NewEvent> events = new ArrayList<>();
    int count = 1 + random.nextInt(mostEvents);
    for (int i = 0; i < count; i++) {
      events.add(
          TestOutbox.event("a" + random.nextInt(AGGREGATES), "{\"n\": " + random.nextInt() + "}"));
    }
    written.addAll(events);
    try {
      outbox.append(events);
    } catch (SQLException e) {
      // The database is away; whether the commit was done, the table will tell.
      assertThat(e.getSQLState()).matches("08.*|57P0.*");
    }
  }

  int attempted() {
    return written.size();
  }

  /** Ends the writing. */
  TestLoad stop() throws Exception {
    writing.cancel(false);
    writer.shutdown();
    assertThat(writer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    return this;
  }

  /** Waits until Kafka holds all that the table holds, and checks that it holds nothing else. */
  void assertDelivered(String bootstrapServers, String prefix) throws Exception {
    Set<UUID> committed = committed();
    await()
        .atMost(Duration.ofSeconds(90))
        .untilAsserted(
            () -> {
              Set<UUID> missing = new TreeSet<>(committed);
              missing.removeAll(TestRecords.ids(TestRecords.read(bootstrapServers, prefix)));
              assertThat(missing.size()).as("missing of %d", committed.size()).isZero();
            });
    List<ConsumerRecord<byte[], byte[]>> records = TestRecords.read(bootstrapServers, prefix);
    assertThat(TestRecords.ids(records)).as("no phantom").isEqualTo(committed);
    LOG.info("{} events, {} records", committed.size(), records.size());
    assertSameContent(records);
    assertThat(firstOccurrences(records)).as("order per aggregate").isEqualTo(inOrder(committed));
  }

  private Set<UUID> committed() throws SQLException {
    Set<UUID> ids = new TreeSet<>();
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery("SELECT id FROM onceward.outbox_events")) {
      while (row.next()) {
        ids.add(row.getObject(1, UUID.class));
      }
    }
    assertThat(ids).hasSizeGreaterThan(100);
    return ids;
  }

  private static void assertSameContent(List<ConsumerRecord<byte[], byte[]>> records) {
    Map<UUID, Set<Object>> contents = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      contents
          .computeIfAbsent(TestRecords.id(record), id -> new LinkedHashSet<>())
          .add(List.of(record.topic(), record.partition(), ByteBuffer.wrap(record.value())));
    }
    assertThat(contents.values()).allSatisfy(same -> assertThat(same).hasSize(1));
  }

  private Map<String, List<UUID>> inOrder(Set<UUID> committed) {
    Map<String, List<UUID>> order = new HashMap<>();
    for (NewEvent event : written) {
      if (committed.contains(event.id())) {
        order.computeIfAbsent(event.aggregateId(), id -> new ArrayList<>()).add(event.id());
      }
    }
    return order;
  }

  private static Map<String, List<UUID>> firstOccurrences(
      List<ConsumerRecord<byte[], byte[]>> records) throws UndecodableRecordException {
    Map<String, List<UUID>> order = new HashMap<>();
    Set<UUID> seen = new HashSet<>();
    for (ConsumerRecord<byte[], byte[]> record : records) {
      Envelope envelope = EnvelopeCodec.decode(record.value());
      if (seen.add(envelope.eventId())) {
        order
            .computeIfAbsent(envelope.aggregateId(), id -> new ArrayList<>())
            .add(envelope.eventId());
      }
    }
    return order;
  }

  @Override
  public void close() {
    writer.shutdownNow();
  }
}
