package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.ShutdownMode;
import dev.onceward.embedded.junit.LongFault;
import java.nio.file.Files;
import java.sql.Connection;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The relay's faults at the stated sizes and durations. */
@LongFault
class LongFaultsTest extends DurableServers {
  private static final Logger LOG = LoggerFactory.getLogger(LongFaultsTest.class);

  @Test
  @Tag("S38")
  void fifty_kills_at_random_moments_lose_nothing() throws Exception {
    Random random = new Random(3);
    long records;
    ChildProcess relay = startProcess();
    try (TestLoad load = TestLoad.startHeavy(database)) {
      for (int kill = 0; kill < 50; kill++) {
        awaitProgress(1 + random.nextInt(4_000));
        relay.kill();
        relay = startProcess();
      }
      awaitProgress(1_000);
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
      records = TestRecords.count(kafka.bootstrapServers(), prefix);
      LOG.info(
          "50 kills: {} records, {} events",
          records,
          number("SELECT count(*) FROM onceward.outbox_events"));
    } finally {
      relay.close();
    }
    assertQuiet();
  }

  @Test
  void forty_restarts_under_load_are_quiet() throws Exception {
    ChildProcess relay = startProcess();
    try (TestLoad load = TestLoad.startHeavy(database)) {
      for (int restart = 0; restart < 40; restart++) {
        awaitProgress(500);
        if (restart % 2 == 0) {
          relay.kill();
        } else {
          assertThat(relay.stop(Duration.ofSeconds(15))).isTrue();
        }
        relay = startProcess();
      }
      awaitProgress(500);
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
    } finally {
      relay.close();
    }
    assertQuiet();
  }

  /** Nothing was called lost that was only late. */
  private void assertQuiet() throws Exception {
    String said = Files.readString(directory.resolve("relay.log"));
    assertThat(said.split("The audit found", -1).length - 1)
        .as("audits that found something; the first slot's gap apart")
        .isLessThanOrEqualTo(1);
  }

  @Test
  @Tag("S28")
  void kafka_away_for_three_minutes_and_postgresql_restarted_meanwhile() throws Exception {
    try (TestRelay relay = TestRelay.start(settings()).awaitUp();
        TestLoad load = TestLoad.startHeavy(database)) {
      awaitProgress(1_000);
      kafka.stop();
      relay.awaitDown("kafka: ");
      await()
          .during(Duration.ofMinutes(3))
          .atMost(Duration.ofMinutes(4))
          .until(() -> !relay.health().reasons().isEmpty());
      kafka.start();
      relay.awaitUp();
      for (int restart = 0; restart < 5; restart++) {
        awaitProgress(500);
        postgres.stop(restart % 2 == 0 ? ShutdownMode.FAST : ShutdownMode.IMMEDIATE);
        relay.awaitDown("postgresql: ");
        postgres.start();
        relay.awaitUp();
      }
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
      assertThat(relay.count("onceward.audit.missing")).isZero();
    }
  }

  @Test
  @Tag("S16")
  void a_writer_that_stays_open_for_fifteen_minutes_delays_nobody() throws Exception {
    TestOutbox outbox = new TestOutbox(database);
    try (TestRelay relay = TestRelay.start(settings()).awaitUp();
        Connection open = outbox.begin();
        TestLoad load = TestLoad.start(database)) {
      NewEvent late = TestOutbox.event("late", "{}");
      OutboxWriter.append(open, late);
      await()
          .during(Duration.ofMinutes(15))
          .atMost(Duration.ofMinutes(16))
          .pollInterval(Duration.ofSeconds(1))
          .until(
              () -> relay.health().reasons().isEmpty() && relay.gauge("onceward.audit.gap") < 10);
      open.commit();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  number(
                          "SELECT count(*) FROM onceward.outbox_event_status WHERE status ="
                              + " 'dispatched' AND event_id = '"
                              + late.id()
                              + "'")
                      == 1);
      assertThat(relay.count("onceward.audit.missing")).isZero();
    }
  }

  /** An idle relay needs some 30 MB of it. */
  private static final int SMALL_HEAP_MEGABYTES = 96;

  @Test
  void a_backlog_of_a_million_events_passes_through_a_small_memory() throws Exception {
    Map<String, String> settings = settings();
    settings.put("onceward.relay.audit-remembered-events", "100000");
    ChildCommand command =
        TestRelayProcess.command(
            "relay", settings, directory.resolve("relay.log"), SMALL_HEAP_MEGABYTES);
    try (ChildProcess relay = command.start()) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> number("SELECT count(*) FROM pg_replication_slots WHERE active") == 1);
      assertThat(relay.stop(Duration.ofSeconds(15))).isTrue();
    }
    TestOutbox outbox = new TestOutbox(database);
    outbox.appendMany(300_000, 1);
    outbox.appendMany(700, 1_000);
    long startedNanos = System.nanoTime();
    try (ChildProcess relay = command.start()) {
      await()
          .atMost(Duration.ofMinutes(15))
          .pollInterval(Duration.ofSeconds(5))
          .until(
              () ->
                  number(
                          "SELECT count(*) FROM onceward.outbox_event_status"
                              + " WHERE status = 'dispatched'")
                      == 1_000_000);
      assertThat(relay.isAlive()).isTrue();
    }
    LOG.info(
        "A million events are proven to be in Kafka after {} s",
        Duration.ofNanos(System.nanoTime() - startedNanos).toSeconds());
    assertThat(TestRecords.count(kafka.bootstrapServers(), prefix)).isEqualTo(1_000_000);
    String said = Files.readString(directory.resolve("relay.log"));
    assertThat(said)
        .contains("The audit has read")
        .doesNotContain("The audit found")
        .doesNotContain("OutOfMemory")
        .doesNotContain("is down");
  }

  private ChildProcess startProcess() {
    return TestRelayProcess.start("relay", settings(), directory.resolve("relay.log"));
  }
}
