package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.relay.RelayControl;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.process.Health;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What an operator does to a relay and what the relay does about its slot by itself. */
@ExtendWith(InfrastructureExtension.class)
class CareTest {

  @Test
  void a_paused_relay_is_not_down_and_sends_what_waited_once_it_goes_on(
      PostgresServer postgres, TestTopics topics) throws Exception {
    try (MigratedDatabase database = MigratedDatabase.create(postgres);
        TestRelay relay =
            TestRelay.start(
                TestRelay.settings(database, topics.bootstrapServers(), topics.prefix()));
        Connection ops = database.connect("onceward_ops")) {
      TestOutbox outbox = new TestOutbox(database);
      relay.awaitUp();
      String slot = TestRelay.slotName(database);
      assertThat(RelayControl.pause(ops, slot, "a test")).isTrue();
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> relay.health().status() == Health.Status.PAUSED);
      assertThat(relay.health().reasons().toString()).contains("onceward relay resume");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> RelayControl.look(ops, slot).leaderPid() == null);
      UUID waiting = outbox.append("a", "1");

      assertThat(RelayControl.resume(ops, slot)).isTrue();
      relay.awaitUp();
      awaitDelivered(topics, Set.of(waiting));
    }
  }

  @Test
  @Tag("S18")
  void a_slot_that_was_lost_while_the_relay_was_away_is_remade_and_the_gap_filled(TestTopics topics)
      throws Exception {
    try (PostgresServer small =
            PostgresServer.start(
                PostgresOptions.temporary()
                    .withSetting("max_slot_wal_keep_size", "16MB")
                    .withSetting("max_wal_size", "32MB")
                    .withSetting("min_wal_size", "32MB"));
        MigratedDatabase database = MigratedDatabase.create(small)) {
      TestOutbox outbox = new TestOutbox(database);
      Map<String, String> settings =
          TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
      UUID before = outbox.append("a", "1");
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        awaitDelivered(topics, Set.of(before));
        assertThat(relay.count("onceward.relay.slot.remade")).isZero();
      }
      UUID inTheGap = outbox.append("a", "2");
      for (int segment = 0; segment < 4; segment++) {
        execute(database, "SELECT pg_logical_emit_message(false, 'other', 'x'), pg_switch_wal()");
      }
      execute(database, "CHECKPOINT");

      settings.put("onceward.relay.slot-loss", "stop");
      try (TestRelay relay = TestRelay.start(settings)) {
        assertThat(relay.awaitFatal()).hasMessageContaining("is lost");
      }
      settings.put("onceward.relay.slot-loss", "repair");
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        UUID after = outbox.append("a", "3");
        awaitDelivered(topics, Set.of(before, inTheGap, after));
        assertThat(relay.count("onceward.relay.slot.remade")).isEqualTo(1);
        assertThat(relay.count("onceward.audit.missing")).isEqualTo(1);
        assertThat(TestRecords.read(topics.bootstrapServers(), topics.prefix())).hasSize(3);
      }
    }
  }

  private static void awaitDelivered(TestTopics topics, Set<UUID> events) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                TestRecords.ids(TestRecords.read(topics.bootstrapServers(), topics.prefix()))
                    .containsAll(events));
  }

  private static void execute(MigratedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
