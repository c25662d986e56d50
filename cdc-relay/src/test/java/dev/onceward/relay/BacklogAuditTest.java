package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.EventHeaders;
import dev.onceward.process.Settings;
import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.CaptureSettings;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.capture.ChangeSource;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A backlog larger than what the relay remembers is audited exactly, through Kafka. */
@ExtendWith(InfrastructureExtension.class)
class BacklogAuditTest {
  private static final int REMEMBERED = 1_000;
  private static final int BATCH = 200;

  private MigratedDatabase database;
  private TestOutbox outbox;
  private TestTopics topics;
  private TestParked parked;
  private Map<String, String> settings;
  private long mostRemembered;

  @BeforeEach
  void prepare(PostgresServer postgres, TestTopics topics) throws SQLException {
    this.topics = topics;
    database = MigratedDatabase.create(postgres);
    outbox = new TestOutbox(database);
    parked = new TestParked(database, topics.bootstrapServers(), topics.prefix());
    settings = TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
    settings.put("onceward.relay.batch-events", Integer.toString(BATCH));
    parked.ask(
        "SELECT pg_create_logical_replication_slot('"
            + TestRelay.slotName(database)
            + "', 'pgoutput')");
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @LongFault
  @Test
  void nothing_is_lost_or_repeated_and_memory_is_bounded() throws Exception {
    int events = append(3_000, 30);
    try (TestRelay relay = start(source())) {
      awaitDispatched(relay, events);
      assertExactly(events);
      assertThat(relay.count("onceward.audit.missing")).isZero();
      assertThat(relay.count("onceward.audit.unseen")).isZero();
      assertThat(mostRemembered).isBetween(1L, (long) REMEMBERED + BATCH);

      outbox.appendMany(3, 2);
      awaitDispatched(relay, events + 6);
      await().until(() -> relay.gauge("onceward.audit.remembered") == 0);
    }
  }

  @Test
  void what_the_source_drops_is_filled_and_counted_exactly() throws Exception {
    int events = append(3_000, 20);
    List<FaultySource> sources = new CopyOnWriteArrayList<>();
    try (TestRelay relay =
        start(
            capture -> {
              FaultySource dropping = FaultySource.thatOnlyDrops(source().apply(capture));
              sources.add(dropping);
              return dropping;
            })) {
      awaitDispatched(relay, events);
      assertThat(sources).hasSize(1);
      int dropped = sources.get(0).dropped.get();
      assertThat(dropped).isPositive();
      assertThat(assertExactly(events))
          .filteredOn(
              record -> EventHeaders.text(record.headers(), EventHeaders.AUDIT_REPAIR).isPresent())
          .hasSize(dropped);
      assertThat(relay.count("onceward.audit.missing")).isEqualTo(dropped);
      assertThat(mostRemembered).isLessThanOrEqualTo(REMEMBERED + BATCH);
    }
  }

  @Test
  void a_term_that_ends_in_the_middle_hands_on_a_tail_longer_than_the_memory() throws Exception {
    int events = append(2_000, 20);
    AtomicInteger terms = new AtomicInteger();
    try (TestRelay relay =
        start(
            capture ->
                terms.incrementAndGet() == 1
                    ? new EndingSource(source().apply(capture), 4 * REMEMBERED)
                    : source().apply(capture))) {
      awaitDispatched(relay, events);
      assertThat(terms).hasValue(2);
      assertExactly(events);
      assertThat(relay.count("onceward.audit.missing")).isZero();
      assertThat(relay.count("onceward.relay.duplicates.suppressed")).isPositive();
    }
  }

  @LongFault
  @Test
  void what_is_parked_is_no_gap() throws Exception {
    topics.create("order", 1);
    topics
        .admin()
        .incrementalAlterConfigs(
            Map.of(
                new ConfigResource(ConfigResource.Type.TOPIC, topics.name("order")),
                List.of(
                    new AlterConfigOp(
                        new ConfigEntry("max.message.bytes", "2000"), AlterConfigOp.OpType.SET))))
        .all()
        .get();
    outbox.appendMany(500, 1);
    UUID tooLarge = outbox.append("a", "\"" + "x".repeat(10_000) + "\"");
    outbox.appendMany(1_500, 1);
    try (TestRelay relay = start(source())) {
      awaitDispatched(relay, 2_000);
      assertExactly(2_000);
      assertThat(parked.withStatus("dead_letter")).isEqualTo(Set.of(tooLarge));
      assertThat(relay.count("onceward.audit.missing")).isZero();
    }
  }

  /** A source that fails when so many events have passed. */
  private record EndingSource(ChangeSource source, int events) implements ChangeSource {
    @Override
    public void run(ChangeHandler handler) throws CaptureException {
      AtomicInteger passed = new AtomicInteger();
      source.run(
          batch -> {
            handler.handle(batch);
            if (passed.addAndGet(batch.events().size()) >= events) {
              throw new IllegalStateException("the stream ends in the middle");
            }
          });
    }

    @Override
    public void close(Duration patience) {
      source.close(patience);
    }
  }

  private TestRelay start(Function<CaptureSettings, ChangeSource> sources) {
    return TestRelay.startRemembering(REMEMBERED, settings, sources);
  }

  private Function<CaptureSettings, ChangeSource> source() {
    return RelayConfig.from(Settings.of(settings)).capture()::source;
  }

  /** Small transactions first, then large ones, then small ones; how many events. */
  private int append(int small, int large) throws SQLException {
    outbox.appendMany(small / 2, 1);
    outbox.appendMany(large, 300);
    outbox.appendMany(small - small / 2, 1);
    return small + large * 300;
  }

  private void awaitDispatched(TestRelay relay, int events) {
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(200))
        .until(
            () -> {
              mostRemembered =
                  Math.max(mostRemembered, (long) relay.gauge("onceward.audit.remembered"));
              return parked
                  .ask(
                      "SELECT count(*) FROM onceward.outbox_event_status"
                          + " WHERE status = 'dispatched'")
                  .equals(Integer.toString(events));
            });
  }

  private List<ConsumerRecord<byte[], byte[]>> assertExactly(int events) {
    List<ConsumerRecord<byte[], byte[]>> records =
        TestRecords.read(topics.bootstrapServers(), topics.prefix());
    assertThat(TestRecords.ids(records)).hasSize(events);
    assertThat(records).hasSize(events);
    return records;
  }
}
