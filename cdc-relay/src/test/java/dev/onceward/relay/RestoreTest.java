package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.relay.RelayRepair;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.BaseCopy;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** A database that comes back on another server, with the rows as a dump brings them. */
@ExtendWith(InfrastructureExtension.class)
class RestoreTest {

  @Test
  void after_the_repair_all_events_are_in_kafka_once_though_the_server_is_another(
      PostgresServer postgres, TestTopics topics) throws Exception {
    try (MigratedDatabase old = MigratedDatabase.create(postgres);
        PostgresServer server =
            PostgresServer.start(PostgresOptions.temporary().withoutDurability());
        MigratedDatabase restored = MigratedDatabase.create(server)) {
      Map<String, String> settings =
          TestRelay.settings(old, topics.bootstrapServers(), topics.prefix());
      TestOutbox outbox = new TestOutbox(old);
      Set<UUID> sent = Set.of(outbox.append("a", "1"), outbox.append("a", "2"));
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        awaitDelivered(topics, sent);
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> count(old, "audited_snapshot IS NOT NULL") == 1);
      }
      UUID missing = outbox.append("a", "3");
      // Rows whose transactions the new server has not had yet.
      execute(
          old,
          "UPDATE onceward.outbox_events SET xid = '99000000000' WHERE id = '" + missing + "'");
      for (String table : List.of("relay_state", "outbox_events")) {
        copy(old, restored, table);
      }

      settings.put("onceward.database.url", restored.url());
      try (TestRelay relay = TestRelay.start(settings)) {
        assertThat(relay.awaitFatal())
            .hasMessageContaining("system identifier")
            .isInstanceOfSatisfying(
                StartupException.class,
                refused -> assertThat(refused.remedy()).contains("repair --restored"));
      }
      try (Connection ops = restored.connect("onceward_ops")) {
        RelayRepair.Done done =
            RelayRepair.run(ops, TestRelay.slotName(old), RelayRepair.Kind.RESTORED, "a test");
        assertThat(done.oldSystemIdentifier()).isNotEqualTo(done.newSystemIdentifier());
        assertThat(done.renumberedRows()).isPositive();
      }
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        awaitDelivered(topics, Set.of(missing));
        UUID after = new TestOutbox(restored).append("a", "4");
        awaitDelivered(topics, Set.of(after));
        assertThat(TestRecords.read(topics.bootstrapServers(), topics.prefix())).hasSize(4);
        assertThat(relay.count("onceward.audit.missing")).isEqualTo(1);
      }
    }
  }

  @LongFault
  @Test
  void a_base_copy_started_as_a_primary_without_the_slot_needs_no_hand(TestTopics topics)
      throws Exception {
    try (PostgresServer primary =
            PostgresServer.start(PostgresOptions.temporary().withoutDurability());
        MigratedDatabase old = MigratedDatabase.create(primary)) {
      Map<String, String> settings =
          TestRelay.settings(old, topics.bootstrapServers(), topics.prefix());
      TestOutbox outbox = new TestOutbox(old);
      Set<UUID> sent = Set.of(outbox.append("a", "1"), outbox.append("a", "2"));
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        awaitDelivered(topics, sent);
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () ->
                    count(old, "pg_snapshot_xmin(audited_snapshot) > '" + lastXid(old) + "'") == 1);
      }
      UUID inTheGap = outbox.append("a", "3");
      try (BaseCopy copy = primary.baseCopy();
          PostgresServer restored =
              PostgresServer.start(PostgresOptions.temporary().withoutDurability(), copy)) {
        primary.kill();
        settings.put("onceward.database.url", restored.jdbcUrl(old.name()));
        try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
          awaitDelivered(topics, Set.of(inTheGap));
          await().until(() -> relay.count("onceward.audit.missing") == 1);
          assertThat(TestRecords.read(topics.bootstrapServers(), topics.prefix())).hasSize(3);
        }
      }
    }
  }

  private static long lastXid(MigratedDatabase database) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT xid::text::bigint FROM onceward.outbox_events ORDER BY xid DESC LIMIT 1")) {
      row.next();
      return row.getLong(1);
    }
  }

  /** Every row with every column, as text. */
  private static void copy(MigratedDatabase from, MigratedDatabase to, String table)
      throws SQLException {
    String rows = "SELECT row_to_json(t)::text FROM onceward." + table + " t";
    String insert =
        "INSERT INTO onceward.%1$s SELECT * FROM json_populate_record(NULL::onceward.%1$s, ?::json)"
            .formatted(table);
    try (Connection source = from.superuser();
        Statement query = source.createStatement();
        ResultSet row = query.executeQuery(rows);
        Connection target = to.superuser();
        PreparedStatement statement = target.prepareStatement(insert)) {
      while (row.next()) {
        statement.setString(1, row.getString(1));
        statement.executeUpdate();
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

  private static long count(MigratedDatabase database, String condition) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT count(*) FROM onceward.relay_state WHERE " + condition)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void execute(MigratedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
