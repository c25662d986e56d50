package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.BaseCopy;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The relay lives through an asynchronous failover that loses what it has already delivered. */
@ExtendWith(InfrastructureExtension.class)
class FailoverTest {
  private static final UUID WORKSPACE = UUID.randomUUID();

  @Test
  void ids_of_lost_transactions_that_are_given_again_stand_for_nothing(
      KafkaBroker kafka, TestTopics topics) throws Exception {
    try (PostgresServer primary = PostgresServer.start(PostgresOptions.temporary());
        MigratedDatabase database = MigratedDatabase.create(primary);
        BaseCopy copy = primary.baseCopy();
        PostgresServer standby =
            PostgresServer.startStandby(PostgresOptions.temporary(), copy, primary);
        TestForwarder address = TestForwarder.to(primary.port())) {
      Map<String, String> settings =
          TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
      settings.put(
          "onceward.database.url",
          database.url().replace(":" + primary.port() + "/", ":" + address.port() + "/"));
      try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
        Set<UUID> kept = append(database.url(), 20);
        awaitDispatched(database.url(), kept);
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> dispatched(standby, database).containsAll(kept));

        // What follows never reaches the standby, and yet is delivered and audited.
        standby.stop(ShutdownMode.FAST);
        Set<UUID> lost = append(database.url(), 30);
        awaitDispatched(database.url(), lost);
        long lastLost = lastXid(database.url());

        primary.kill();
        standby.start();
        standby.promote();
        address.forwardTo(standby.port());
        String promoted = standby.jdbcUrl(database.name());
        Set<UUID> again = append(promoted, 60);
        assertThat(lastXid(promoted)).as("ids are given again").isGreaterThan(lastLost);

        awaitDispatched(promoted, again);
        Set<UUID> inKafka =
            TestRecords.ids(TestRecords.read(topics.bootstrapServers(), topics.prefix()));
        assertThat(inKafka).containsAll(kept).containsAll(again).containsAll(lost);
        assertThat(TestRecords.count(topics.bootstrapServers(), topics.prefix()))
            .as("nothing twice")
            .isEqualTo(kept.size() + lost.size() + again.size());
        relay.awaitUp();
      }
    }
  }

  /** Each in a transaction of its own. */
  private static Set<UUID> append(String url, int events) throws SQLException {
    Set<UUID> written = new TreeSet<>();
    try (Connection connection =
        DriverManager.getConnection(url, "onceward_app", MigratedDatabase.PASSWORD)) {
      connection.setAutoCommit(false);
      for (int i = 0; i < events; i++) {
        WorkspaceContext.set(connection, WORKSPACE);
        NewEvent event = TestOutbox.event("a" + i % 3, "{}");
        OutboxWriter.append(connection, event);
        connection.commit();
        written.add(event.id());
      }
    }
    return written;
  }

  private static void awaitDispatched(String url, Set<UUID> ids) {
    await()
        .atMost(Duration.ofSeconds(60))
        .untilAsserted(() -> assertThat(dispatched(url)).containsAll(ids));
  }

  private static Set<UUID> dispatched(PostgresServer server, MigratedDatabase database)
      throws SQLException {
    return dispatched(server.jdbcUrl(database.name()));
  }

  private static Set<UUID> dispatched(String url) throws SQLException {
    Set<UUID> ids = new TreeSet<>();
    try (Connection connection =
            DriverManager.getConnection(url, "onceward_relay", MigratedDatabase.PASSWORD);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT event_id FROM onceward.outbox_event_status WHERE status = 'dispatched'")) {
      while (row.next()) {
        ids.add(row.getObject(1, UUID.class));
      }
    }
    return ids;
  }

  private static long lastXid(String url) throws SQLException {
    try (Connection connection =
            DriverManager.getConnection(url, "onceward_relay", MigratedDatabase.PASSWORD);
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT xid::text::bigint FROM onceward.outbox_events ORDER BY xid DESC LIMIT 1")) {
      row.next();
      return row.getLong(1);
    }
  }
}
