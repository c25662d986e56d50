package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestDatabase;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What stops the start, what the relay waits for, and what it says of both. */
@ExtendWith(InfrastructureExtension.class)
class StartTest {
  private MigratedDatabase database;
  private TestTopics topics;
  private Map<String, String> settings;

  @BeforeEach
  void prepare(PostgresServer postgres, TestTopics topics) throws SQLException {
    this.topics = topics;
    database = MigratedDatabase.create(postgres);
    settings = TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void a_server_without_logical_log_stops_the_start() throws Exception {
    try (PostgresServer server =
            PostgresServer.start(
                PostgresOptions.temporary()
                    .withoutDurability()
                    .withSetting("wal_level", "replica"));
        MigratedDatabase other = MigratedDatabase.create(server)) {
      assertRefused(
          TestRelay.settings(other, topics.bootstrapServers(), topics.prefix()),
          "wal_level=replica",
          "wal_level = logical");
    }
  }

  @Test
  void a_role_without_replication_stops_the_start() throws Exception {
    superuser("ALTER ROLE onceward_relay NOREPLICATION");
    try {
      assertRefused(
          settings,
          "\"onceward_relay\" lacks REPLICATION",
          "ALTER ROLE onceward_relay REPLICATION");
    } finally {
      superuser("ALTER ROLE onceward_relay REPLICATION");
    }
  }

  @Test
  void a_missing_publication_stops_the_start() throws Exception {
    superuser("DROP PUBLICATION onceward_outbox");

    assertRefused(settings, "\"onceward_outbox\" does not exist", "Run the migrations");
  }

  @Test
  @Tag("S13")
  void a_publication_that_leaves_something_out_stops_the_start() throws Exception {
    superuser("ALTER PUBLICATION onceward_outbox SET (publish = 'update')");
    assertRefused(settings, "leaves rows out", "publish = 'insert'");

    superuser("ALTER PUBLICATION onceward_outbox SET (publish = 'insert')");
    superuser("ALTER PUBLICATION onceward_outbox SET TABLE onceward.outbox_events (id, payload)");
    assertRefused(settings, "lacks the columns", "aggregate_id");

    superuser("DROP PUBLICATION onceward_outbox");
    superuser("CREATE PUBLICATION onceward_outbox FOR TABLE onceward.outbox_events");
    assertRefused(settings, "partition's name", "publish_via_partition_root = true");
  }

  @Test
  @Tag("S14")
  void an_unlogged_partition_stops_the_start() throws Exception {
    superuser("ALTER TABLE onceward.outbox_events_default SET UNLOGGED");

    assertRefused(settings, "onceward.outbox_events_default", "SET LOGGED");
  }

  @Test
  void a_database_without_the_schema_stops_the_start(TestDatabase empty) throws Exception {
    settings.put("onceward.database.url", empty.jdbcUrl());

    assertRefused(settings, "\"onceward_outbox\" does not exist", "Run the migrations");
  }

  @Test
  void an_unknown_database_stops_the_start(PostgresServer postgres) throws Exception {
    settings.put("onceward.database.url", postgres.jdbcUrl("nowhere"));

    assertRefused(settings, "/nowhere does not exist", "onceward.database.url");
  }

  @Test
  void another_role_than_the_relays_stops_the_start() throws Exception {
    settings.put("onceward.database.user", "onceward_app");

    assertRefused(settings, "\"onceward_app\" lacks REPLICATION", "REPLICATION");
  }

  @Test
  void a_slot_of_another_database_stops_the_start(PostgresServer postgres) throws Exception {
    try (MigratedDatabase other = MigratedDatabase.create(postgres);
        Connection connection = other.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_create_logical_replication_slot('slot_" + database.name() + "', 'pgoutput')");
      assertRefused(settings, "is not the relay's", "onceward.relay.slot-name");
    }
  }

  @Test
  @Tag("S27")
  void a_wrong_password_ends_the_process_with_one_clear_line(@TempDir Path directory)
      throws Exception {
    Path output = directory.resolve("relay.log");
    try (ChildProcess relay =
        ChildCommand.java("relay", RelayMain.class.getName(), List.of("-Xmx128m"), List.of())
            .withOutput(output)
            .withEnvironment("ONCEWARD_DATABASE_URL", database.url() + "?options=-c%20a.b=c")
            .withEnvironment("ONCEWARD_DATABASE_PASSWORD", "wrong-marker")
            .withEnvironment("ONCEWARD_KAFKA_BOOTSTRAP_SERVERS", topics.bootstrapServers())
            .withEnvironment("ONCEWARD_RELAY_HEALTH_PORT", "0")
            .start()) {
      assertThat(relay.awaitExit(Duration.ofSeconds(60))).isTrue();
      assertThat(relay.exitCode()).hasValue(ExitCode.UNAVAILABLE.number());
    }
    String said = Files.readString(output);
    assertThat(said)
        .contains("PostgreSQL refuses the role \"onceward_relay\"")
        .contains("onceward.database.password")
        .doesNotContain("wrong-marker")
        .doesNotContain("a.b");
  }

  @Test
  @Tag("S04")
  void a_postgresql_that_is_away_is_waited_for() throws Exception {
    try (PostgresServer server =
            PostgresServer.start(PostgresOptions.temporary().withoutDurability());
        MigratedDatabase other = MigratedDatabase.create(server)) {
      server.stop(ShutdownMode.FAST);
      try (TestRelay relay =
          TestRelay.start(TestRelay.settings(other, topics.bootstrapServers(), topics.prefix()))) {
        relay.awaitDown("postgresql: PostgreSQL is away");
        server.start();
        relay.awaitUp();
        awaitDelivered(new TestOutbox(other).append("a", "1"));
      }
    }
  }

  @Test
  void a_kafka_that_is_away_is_waited_for() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start(KafkaOptions.temporary())) {
      broker.stop();
      settings.put("onceward.kafka.bootstrap.servers", broker.bootstrapServers());
      try (TestRelay relay = TestRelay.start(settings)) {
        relay.awaitDown("kafka: Kafka ");
        relay.awaitDown("stream: what Kafka holds is read back before the stream begins");
        UUID event = new TestOutbox(database).append("a", "1");
        broker.start();
        relay.awaitUp();
        await()
            .atMost(Duration.ofSeconds(30))
            .until(
                () ->
                    TestRecords.ids(TestRecords.read(broker.bootstrapServers(), topics.prefix()))
                        .contains(event));
      }
    }
  }

  @Test
  @Tag("S05")
  void a_relay_that_loses_its_right_is_down_and_recovers_by_itself() throws Exception {
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      superuser("ALTER ROLE onceward_relay NOREPLICATION");
      superuser(
          "SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE slot_name = '"
              + TestRelay.slotName(database)
              + "'");
      relay.awaitDown("stream: The role \"onceward_relay\" lacks REPLICATION");
      superuser("ALTER ROLE onceward_relay REPLICATION");
      relay.awaitUp();
      awaitDelivered(new TestOutbox(database).append("a", "1"));
    } finally {
      superuser("ALTER ROLE onceward_relay REPLICATION");
    }
  }

  @Test
  @Tag("S15")
  void a_publication_dropped_while_streaming_is_noticed() throws Exception {
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      superuser("DROP PUBLICATION onceward_outbox");
      relay.awaitDown("stream: The publication \"onceward_outbox\" does not exist");
    }
  }

  @Test
  @Tag("S06")
  void a_second_relay_waits_and_takes_over() throws Exception {
    TestOutbox outbox = new TestOutbox(database);
    try (TestRelay first = TestRelay.start(settings).awaitUp();
        TestRelay second = TestRelay.start(settings)) {
      second.awaitUp();
      assertThat(second.health().toString()).contains("standby");
      assertThat(first.health().toString()).contains("leader");
      UUID before = outbox.append("a", "1");
      awaitDelivered(before);
      first.close();
      awaitDelivered(outbox.append("a", "2"));
      second.awaitUp();
      assertThat(second.health().toString()).contains("leader");
    }
  }

  private static void assertRefused(Map<String, String> settings, String message, String remedy) {
    try (TestRelay relay = TestRelay.start(settings)) {
      assertThat(relay.awaitFatal())
          .isInstanceOfSatisfying(
              StartupException.class,
              refused -> {
                assertThat(refused.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
                assertThat(refused).hasMessageContaining(message);
                assertThat(refused.remedy() + refused.getMessage()).contains(remedy);
              });
    }
  }

  private void awaitDelivered(UUID event) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(
            () ->
                TestRecords.ids(TestRecords.read(topics.bootstrapServers(), topics.prefix()))
                    .containsAll(Set.of(event)));
  }

  private void superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
