package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.junit.LongFault;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Two relays: one leads, the other stands by and takes over. */
class TakeOverTest extends DurableServers {
  private static final Logger LOG = LoggerFactory.getLogger(TakeOverTest.class);

  private int started;

  @Test
  @Tag("S06")
  void a_killed_leader_is_replaced_and_nothing_is_lost() throws Exception {
    takeOver(ChildProcess::kill, 1);
  }

  @Test
  @Tag("S06")
  void a_leader_that_stands_still_is_replaced_and_ends_when_it_goes_on() throws Exception {
    takeOver(ChildProcess::suspend, 1);
  }

  @LongFault
  @Test
  @Tag("S06")
  void ten_leaders_in_a_row_are_killed() throws Exception {
    takeOver(ChildProcess::kill, 10);
  }

  @LongFault
  @Test
  @Tag("S06")
  void ten_leaders_in_a_row_stand_still() throws Exception {
    takeOver(ChildProcess::suspend, 10);
  }

  private interface Fault {
    void on(ChildProcess leader);
  }

  private void takeOver(Fault fault, int rounds) throws Exception {
    List<Long> took = new ArrayList<>();
    List<ChildProcess> relays = new ArrayList<>(List.of(startProcess()));
    try (TestLoad load = TestLoad.start(database)) {
      awaitLeader(0);
      for (int round = 0; round < rounds; round++) {
        ChildProcess leader = relays.get(round);
        relays.add(startProcess());
        awaitStandby();
        long before = awaitLeader(0);
        long startedNanos = System.nanoTime();
        fault.on(leader);
        awaitLeader(before);
        awaitOneMoreRecord();
        took.add((System.nanoTime() - startedNanos) / 1_000_000);
        if (leader.isAlive()) {
          leader.resume();
          assertThat(leader.awaitExit(Duration.ofSeconds(10))).as("the old leader ends").isTrue();
          assertThat(leader.exitCode().orElseThrow()).isNotZero();
        }
      }
      load.stop().assertDelivered(kafka.bootstrapServers(), prefix);
    } finally {
      relays.forEach(ChildProcess::close);
    }
    LOG.info("Taken over in ms: {}", took);
  }

  private ChildProcess startProcess() {
    started++;
    Map<String, String> settings = TestRelay.settings(database, kafka.bootstrapServers(), prefix);
    return TestRelayProcess.start(
        "relay-" + started, settings, directory.resolve("relay-" + started + ".log"));
  }

  /** Its session asks for the lock again and again. */
  private void awaitStandby() {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                number(
                        "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'onceward-relay'"
                            + " AND datname = current_database() AND query LIKE '%pg_try_advisory_lock%'")
                    > 0);
  }

  /** The process that streams, once it is another than that one. */
  private long awaitLeader(long other) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(
            () ->
                number(
                    "SELECT coalesce(max(active_pid), 0) FROM pg_replication_slots WHERE slot_name = '"
                        + TestRelay.slotName(database)
                        + "'"),
            pid -> pid != 0 && pid != other);
  }

  private void awaitOneMoreRecord() {
    long before = TestRecords.count(kafka.bootstrapServers(), prefix);
    await()
        .atMost(Duration.ofSeconds(60))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) > before);
  }
}
