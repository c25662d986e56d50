package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.relay.RelayRepair;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.process.StartupException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The server gets another system identifier and goes on with its transactions: pg_upgrade. */
@LongFault
@ExtendWith(InfrastructureExtension.class)
class UpgradeTest {

  @Test
  void after_the_repair_an_upgraded_server_goes_on_where_the_old_one_was(TestTopics topics)
      throws Exception {
    try (PostgresServer server =
            PostgresServer.start(PostgresOptions.temporary().withoutDurability());
        MigratedDatabase database = MigratedDatabase.create(server)) {
      Map<String, String> settings =
          TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
      TestOutbox outbox = new TestOutbox(database);
      Set<UUID> sent = Set.of(outbox.append("a", "1"), outbox.append("a", "2"));
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        awaitDelivered(topics, sent);
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () ->
                    ask(
                        database,
                        "SELECT (count(*) = 2)::text FROM onceward.outbox_event_status"
                            + " WHERE status = 'dispatched'"),
                "true"::equals);
      }
      UUID meanwhile = outbox.append("a", "3");
      String audited = ask(database, "SELECT audited_snapshot FROM onceward.relay_state");
      Path data = Path.of(ask(database, "SHOW data_directory"));
      // Before version 17 pg_upgrade brings no slots along.
      ask(
          database,
          "SELECT pg_drop_replication_slot('" + TestRelay.slotName(database) + "')::text");
      server.stop(ShutdownMode.FAST);
      SystemIdentifier.change(data);
      server.start();

      try (TestRelay relay = TestRelay.start(settings)) {
        assertThat(relay.awaitFatal())
            .hasMessageContaining("system identifier")
            .isInstanceOfSatisfying(
                StartupException.class,
                refused -> assertThat(refused.remedy()).contains("repair --upgraded"));
      }
      try (Connection ops = database.connect("onceward_ops")) {
        RelayRepair.Done done =
            RelayRepair.run(ops, TestRelay.slotName(database), RelayRepair.Kind.UPGRADED, "a test");
        assertThat(done.oldSystemIdentifier()).isNotEqualTo(done.newSystemIdentifier());
        assertThat(done.renumberedRows()).isZero();
      }
      assertThat(ask(database, "SELECT audited_snapshot FROM onceward.relay_state"))
          .isEqualTo(audited);
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        UUID after = outbox.append("a", "4");
        awaitDelivered(topics, Set.of(meanwhile, after));
        assertThat(TestRecords.read(topics.bootstrapServers(), topics.prefix())).hasSize(4);
        assertThat(relay.count("onceward.audit.missing")).isEqualTo(1);
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

  private static String ask(MigratedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
