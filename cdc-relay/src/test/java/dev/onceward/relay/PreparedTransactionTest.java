package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.embedded.junit.TestTopics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Two-phase commit: a prepared transaction is one that stays open, and outlives its server. */
@LongFault
@ExtendWith(InfrastructureExtension.class)
class PreparedTransactionTest {

  @Test
  @Tag("S16")
  void a_prepared_transaction_is_delivered_once_it_is_committed_whatever_restarts_meanwhile(
      TestTopics topics) throws Exception {
    try (PostgresServer server =
            PostgresServer.start(
                PostgresOptions.temporary().withSetting("max_prepared_transactions", "5"));
        MigratedDatabase database = MigratedDatabase.create(server)) {
      Map<String, String> settings =
          TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
      TestOutbox outbox = new TestOutbox(database);
      Set<UUID> all = new TreeSet<>();
      UUID kept;
      UUID late;
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        kept = prepare(database, outbox, "kept");
        prepare(database, outbox, "given up");
        late = prepare(database, outbox, "late");
        all.add(outbox.append("a", "1"));
        awaitDispatched(database, all);
        assertThat(delivered(topics)).isEqualTo(all);
      }
      server.stop(ShutdownMode.FAST);
      server.start();
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        all.add(outbox.append("a", "2"));
        awaitDispatched(database, all);
        assertThat(delivered(topics)).isEqualTo(all);

        execute(database, "ROLLBACK PREPARED 'given up'");
        execute(database, "COMMIT PREPARED 'kept'");
        all.add(kept);
        awaitDispatched(database, all);
        assertThat(relay.count("onceward.audit.missing")).isZero();
      }
      execute(database, "COMMIT PREPARED 'late'");
      all.add(late);
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        awaitDispatched(database, all);
        assertThat(relay.count("onceward.audit.missing")).isZero();
        assertThat(relay.count("onceward.audit.unseen")).isZero();
      }
      assertThat(delivered(topics)).isEqualTo(all);
      assertThat(TestRecords.read(topics.bootstrapServers(), topics.prefix())).hasSameSizeAs(all);
    }
  }

  @Test
  @Tag("S16")
  void a_new_slot_waits_for_a_prepared_transaction_and_says_so(TestTopics topics) throws Exception {
    try (PostgresServer server =
            PostgresServer.start(
                PostgresOptions.temporary()
                    .withoutDurability()
                    .withSetting("max_prepared_transactions", "5"));
        MigratedDatabase database = MigratedDatabase.create(server)) {
      TestOutbox outbox = new TestOutbox(database);
      UUID prepared = prepare(database, outbox, "open");
      UUID other = outbox.append("a", "1");
      try (TestRelay relay =
          TestRelay.start(
              TestRelay.settings(database, topics.bootstrapServers(), topics.prefix()))) {
        relay.awaitDown("the slot is being made, which waits for every open transaction");
        execute(database, "COMMIT PREPARED 'open'");
        relay.awaitUp();
        awaitDispatched(database, Set.of(prepared, other));
        assertThat(relay.count("onceward.audit.missing")).isEqualTo(2);
      }
      assertThat(TestRecords.read(topics.bootstrapServers(), topics.prefix())).hasSize(2);
    }
  }

  private static UUID prepare(MigratedDatabase database, TestOutbox outbox, String name)
      throws SQLException {
    NewEvent event = TestOutbox.event(name, "1");
    try (Connection connection = outbox.begin();
        Statement statement = connection.createStatement()) {
      OutboxWriter.append(connection, event);
      statement.execute("PREPARE TRANSACTION '" + name + "'");
    }
    assertThat(ask(database, "SELECT count(*) FROM pg_prepared_xacts WHERE gid = '" + name + "'"))
        .isEqualTo(1);
    return event.id();
  }

  private static Set<UUID> delivered(TestTopics topics) {
    return TestRecords.ids(TestRecords.read(topics.bootstrapServers(), topics.prefix()));
  }

  private static void awaitDispatched(MigratedDatabase database, Set<UUID> all) {
    await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () ->
                ask(
                        database,
                        "SELECT count(*) FROM onceward.outbox_event_status"
                            + " WHERE status = 'dispatched'")
                    == all.size());
  }

  private static long ask(MigratedDatabase database, String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
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
