package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.ShutdownMode;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
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
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whatever dies, nothing is lost, and the relay goes on by itself. Servers of its own, durable. */
class CrashTest extends DurableServers {
  private static final Logger LOG = LoggerFactory.getLogger(CrashTest.class);

  @Test
  @Tag("S38")
  void a_killed_relay_process_loses_nothing() throws Exception {
    ChildProcess relay = startProcess();
    awaitSlot();
    try (TestLoad load = TestLoad.start(database)) {
      for (int kill = 0; kill < 2; kill++) {
        awaitProgress(200);
        relay.kill();
        relay = startProcess();
      }
      awaitProgress(50);
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
      assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
      assertThat(relay.exitCode()).hasValue(0);
    } catch (Throwable e) {
      LOG.error("the relay said: {}", String.join("\n", relay.outputTail(40)));
      throw e;
    } finally {
      relay.close();
    }
  }

  @Test
  @Tag("S29")
  void events_that_are_parked_outlive_killed_relays_and_keep_their_order() throws Exception {
    TestOutbox outbox = new TestOutbox(database);
    TestParked parked = new TestParked(database, kafka.bootstrapServers(), prefix);
    List<UUID> written = new ArrayList<>();
    ChildCommand command = process().withEnvironment("ONCEWARD_RELAY_CREATE_TOPICS", "false");
    ChildProcess relay = command.start();
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      awaitSlot();
      written.addAll(append(outbox, 3_000));
      parked.awaitParked("pending", written);
      relay.kill();

      relay = command.start();
      awaitSlot();
      admin.createTopics(List.of(new NewTopic(prefix + "order", 1, (short) 1))).all().get();
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) > 0);
      relay.kill();
      relay = command.start();

      List<UUID> arrived = TestParked.order(parked.awaitDelivered(written));
      assertThat(arrived.stream().distinct().toList()).isEqualTo(written);
      parked.awaitAllDispatched();
      assertThat(parked.withStatus("pending")).isEmpty();
      LOG.info("{} events came twice after a kill", arrived.size() - written.size());
      assertThat(arrived).hasSizeLessThanOrEqualTo(written.size() + 500);
    } catch (Throwable e) {
      LOG.error("the relay said: {}", String.join("\n", relay.outputTail(40)));
      throw e;
    } finally {
      relay.close();
    }
  }

  @Test
  @Tag("S18")
  void a_relay_killed_while_it_fills_what_its_new_slot_lacks_keeps_the_order() throws Exception {
    TestOutbox outbox = new TestOutbox(database);
    List<UUID> written = new ArrayList<>();
    for (int transaction = 0; transaction < 20; transaction++) {
      written.addAll(append(outbox, 1_000));
    }
    ChildProcess relay = startProcess();
    try {
      await()
          .atMost(Duration.ofSeconds(60))
          .pollInterval(Duration.ofMillis(5))
          .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) > 0);
      relay.kill();
      assertThat(TestRecords.count(kafka.bootstrapServers(), prefix))
          .as("killed in the middle")
          .isLessThan(written.size());
      written.addAll(append(outbox, 10));
      relay = startProcess();
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) >= written.size());
    } finally {
      relay.close();
    }
    assertThat(TestRecords.read(kafka.bootstrapServers(), prefix))
        .extracting(TestRecords::id)
        .isEqualTo(written);
    assertThat(number("SELECT count(*) FROM onceward.relay_state WHERE slot_gap")).isZero();
  }

  /** So many events of one aggregate in one transaction. */
  private static List<UUID> append(TestOutbox outbox, int events) throws SQLException {
    List<NewEvent> together = new ArrayList<>();
    for (int i = 0; i < events; i++) {
      together.add(TestOutbox.event("a", Integer.toString(i)));
    }
    outbox.append(together);
    return together.stream().map(NewEvent::id).toList();
  }

  @Test
  @Tag("S17")
  void a_large_transaction_passes_through_a_small_heap() throws Exception {
    passLargeTransaction(12_000, 12_000, 256);
  }

  @LongFault
  @Test
  @Tag("S17")
  void a_transaction_of_100_000_events_passes_through_a_small_heap() throws Exception {
    passLargeTransaction(100_000, 2_000, 256);
  }

  private void passLargeTransaction(int events, int characters, int heapMegabytes)
      throws Exception {
    TestOutbox outbox = new TestOutbox(database);
    try (ChildProcess relay =
        TestRelayProcess.command("relay", settings(), log(), heapMegabytes).start()) {
      outbox.append("order", "1");
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) == 1);
      // What would hold all of it holds all of it while Kafka takes nothing.
      kafka.suspend();
      try (Connection connection = outbox.begin();
          Statement statement = connection.createStatement()) {
        statement.execute(
            """
            SELECT count(onceward.outbox_append('order.placed', 'order', (n % 50)::text,
              json_build_object('n', n, 'text', repeat('x', :characters))))
            FROM generate_series(1, :events) AS n
            """
                .replace(":events", Integer.toString(events))
                .replace(":characters", Integer.toString(characters)));
        connection.commit();
        awaitStreamStands();
      } finally {
        kafka.resume();
      }
      Set<UUID> small = new TreeSet<>();
      for (int i = 0; i < 10; i++) {
        small.add(outbox.append("small", "1"));
      }
      await()
          .atMost(Duration.ofMinutes(3))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) >= events + 11);
      Set<UUID> delivered = TestRecords.ids(TestRecords.read(kafka.bootstrapServers(), prefix));
      assertThat(delivered).hasSize(events + 11).containsAll(small);
      assertThat(Files.readString(log())).doesNotContain("OutOfMemory").doesNotContain("is down");
    }
  }

  @Test
  @Tag("S25")
  void sigterm_while_kafka_hangs_ends_in_time_and_loses_nothing() throws Exception {
    TestOutbox outbox = new TestOutbox(database);
    String text = "\"Юникод e\u0301 😀\"";
    Set<UUID> written = new TreeSet<>();
    try (ChildProcess relay = startProcess()) {
      awaitSlot();
      written.add(outbox.append(text, text));
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) == 1);
      assertThat(metrics())
          .contains("onceward_relay_events_published_total{")
          .contains("onceward_relay_commit_to_ack_seconds_bucket{")
          .contains("onceward_relay_lag_seconds{")
          .contains("onceward_relay_slot_retained_bytes{")
          .contains("onceward_relay_engine_restarts_total{")
          .contains("onceward_relay_publish_retries_total{");
      kafka.suspend();
      written.add(outbox.append(text, text));
      assertThat(relay.stop(Duration.ofSeconds(10))).isTrue();
      assertThat(relay.exitCode()).hasValue(0);
    } finally {
      kafka.resume();
    }
    try (ChildProcess relay = startProcess()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(
              () ->
                  TestRecords.ids(TestRecords.read(kafka.bootstrapServers(), prefix))
                      .equals(written));
    }
    for (ConsumerRecord<byte[], byte[]> record :
        TestRecords.read(kafka.bootstrapServers(), prefix)) {
      Envelope envelope = EnvelopeCodec.decode(record.value());
      assertThat(envelope.aggregateId()).isEqualTo(text);
      assertThat(envelope.payload().text()).isEqualTo(text);
    }
  }

  private String metrics() throws Exception {
    Matcher port = Pattern.compile("are served on port (\\d+)").matcher(Files.readString(log()));
    assertThat(port.find()).isTrue();
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port.group(1) + "/metrics"))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private Path log() {
    return directory.resolve("relay.log");
  }

  @Test
  @Tag("S03")
  void a_killed_postgresql_loses_nothing() throws Exception {
    try (TestRelay relay = TestRelay.start(settings()).awaitUp();
        TestLoad load = TestLoad.start(database)) {
      for (int kill = 0; kill < 2; kill++) {
        awaitProgress(200);
        postgres.kill();
        relay.awaitDown("postgresql: ");
        postgres.start();
        relay.awaitUp();
      }
      awaitProgress(50);
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
      assertThat(TestRecords.count(kafka.bootstrapServers(), prefix))
          .as("what was delivered before the crash is not sent again")
          .isEqualTo(number("SELECT count(*) FROM onceward.outbox_events"));
      assertThat(relay.counter("onceward.relay.engine.restarts")).isEqualTo(2);
    }
  }

  @Test
  @Tag("S03")
  void restarts_of_postgresql_and_ended_walsenders_lose_nothing() throws Exception {
    try (TestRelay relay = TestRelay.start(settings()).awaitUp();
        TestLoad load = TestLoad.start(database)) {
      awaitProgress(100);
      postgres.stop(ShutdownMode.FAST);
      postgres.start();
      awaitProgress(100);
      for (int i = 0; i < 3; i++) {
        endWalsender();
        awaitProgress(100);
      }
      relay.awaitUp();
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
    }
  }

  @Test
  @Tag("S28")
  void a_killed_kafka_loses_nothing() throws Exception {
    try (TestRelay relay = TestRelay.start(settings()).awaitUp();
        TestLoad load = TestLoad.start(database)) {
      awaitProgress(200);
      kafka.kill();
      relay.awaitDown("kafka: ");
      int before = load.attempted();
      await().atMost(Duration.ofSeconds(60)).until(() -> load.attempted() > before + 200);
      kafka.start();
      relay.awaitUp();
      awaitProgress(50);
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
      assertThat(relay.counter("onceward.relay.engine.restarts")).isZero();
    }
  }

  @Test
  void a_postgresql_that_dies_while_kafka_hangs_is_noticed() throws Exception {
    try (TestRelay relay = TestRelay.start(settings()).awaitUp();
        TestLoad load = TestLoad.start(database)) {
      awaitProgress(100);
      kafka.suspend();
      relay.awaitDown("kafka: ");
      postgres.kill();
      relay.awaitDown("postgresql: ");
      postgres.start();
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () -> relay.health().reasons().stream().noneMatch(r -> r.startsWith("postgresql")));
      kafka.resume();
      relay.awaitUp();
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
    } finally {
      kafka.resume();
    }
  }

  private ChildProcess startProcess() {
    return process().start();
  }

  private ChildCommand process() {
    return TestRelayProcess.command("relay", settings(), log());
  }

  /** Before the first slot nothing is streamed. */
  /** Until PostgreSQL cannot send any more of it. */
  private void awaitStreamStands() {
    AtomicLong before = new AtomicLong();
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofSeconds(2))
        .until(
            () -> {
              long sent = sentBytes();
              return before.getAndSet(sent) == sent;
            });
  }

  private long sentBytes() throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT r.sent_lsn - '0/0' FROM pg_stat_replication r"
                    + " JOIN pg_replication_slots s ON s.active_pid = r.pid"
                    + " WHERE s.database = current_database()")) {
      assertThat(row.next()).isTrue();
      return row.getLong(1);
    }
  }

  private void awaitSlot() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> {
              try (Connection superuser = database.superuser();
                  Statement statement = superuser.createStatement()) {
                return statement
                    .executeQuery("SELECT FROM pg_replication_slots WHERE active")
                    .next();
              }
            });
  }

  private void endWalsender() throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(
          "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"
              + TestRelay.slotName(database)
              + "'");
    }
  }
}
