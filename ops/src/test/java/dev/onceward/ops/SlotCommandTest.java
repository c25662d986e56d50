package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.PGProperty;
import org.postgresql.replication.PGReplicationStream;

@ExtendWith(InfrastructureExtension.class)
final class SlotCommandTest {

  private static final String SLOT = "slot_command_test";

  @TempDir private Path directory;
  private MigratedDatabase database;
  private String config;

  @BeforeEach
  void prepare(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    config = OpsConfig.write(directory, database.url(), "onceward_ops", MigratedDatabase.PASSWORD);
    append("onceward.relay.slot-name=" + SLOT);
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void a_slot_is_made_shown_made_again_and_dropped_and_each_change_is_recorded() throws Exception {
    loginForSlots();
    CommandRun none = run("show");
    assertThat(none.exitCode()).isEqualTo(1);
    assertThat(none.err())
        .contains("there is no slot \"" + SLOT + "\"")
        .contains("Start the relay");
    assertThat(run("drop", "--yes").exitCode()).isEqualTo(1);

    assertThat(run("recreate", "--yes").out()).isEqualTo(SLOT + " made\n");
    JsonNode shown = run("show", "--output", "json").json();
    assertThat(shown.path("database").asText()).isEqualTo(database.name());
    assertThat(shown.path("wal_status").asText()).isEqualTo("reserved");
    assertThat(shown.path("active_pid").isNull()).isTrue();
    assertThat(shown.path("confirmed_lsn").asText()).contains("/");
    assertThat(run("show").out()).contains("in use     no").contains("lost after ");

    superuser("SELECT pg_logical_emit_message(false, 'x', repeat('x', 10000))");
    superuser("SELECT pg_switch_wal()");
    CommandRun again = run("recreate", "--yes", "--output", "json");
    assertThat(again.json().path("dropped").asBoolean()).isTrue();
    assertThat(again.json().path("released_bytes").asLong()).isGreaterThan(10_000);
    assertThat(run("show", "--output", "json").json().path("confirmed_lsn"))
        .isNotEqualTo(shown.path("confirmed_lsn"));

    CommandRun dry = run("drop", "--dry-run");
    assertThat(dry.out()).contains("would be dropped");
    assertThat(run("show").exitCode()).isZero();
    assertThat(run("drop").exitCode()).isEqualTo(2);
    assertThat(run("drop", "--yes").out()).contains("dropped, released");
    assertThat(run("show").exitCode()).isEqualTo(1);
    assertThat(
            superuser(
                "SELECT string_agg(command || ' ' || state, ',' ORDER BY id) FROM onceward.ops_actions"))
        .isEqualTo(
            "slot recreate started,slot recreate succeeded,slot recreate started,"
                + "slot recreate succeeded,slot drop started,slot drop succeeded");
  }

  @Test
  void a_slot_that_somebody_streams_from_stays() throws Exception {
    loginForSlots();
    run("recreate", "--yes");
    try (Connection relay = replication();
        PGReplicationStream stream =
            relay
                .unwrap(PGConnection.class)
                .getReplicationAPI()
                .replicationStream()
                .logical()
                .withSlotName(SLOT)
                .withSlotOption("proto_version", 1)
                .withSlotOption("publication_names", "onceward_outbox")
                .start()) {
      assertThat(stream.isClosed()).isFalse();
      for (String what : List.of("drop", "recreate")) {
        CommandRun refused = run(what, "--yes");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err())
            .contains("in use by server process")
            .contains("onceward relay pause");
      }
      assertThat(run("show").out()).contains("in use     by server process ");
    }
    await()
        .atMost(Duration.ofSeconds(10))
        .untilAsserted(() -> assertThat(run("drop", "--yes").exitCode()).isZero());
  }

  @Test
  void a_role_that_may_not_replicate_is_told_which_one_may() throws Exception {
    superuser("SELECT pg_create_logical_replication_slot('" + SLOT + "', 'pgoutput')");
    CommandRun refused = run("drop", "--yes");
    assertThat(refused.exitCode()).isEqualTo(4);
    assertThat(refused.err()).contains("onceward.ops.slot-user").contains("onceward_relay");
    assertThat(run("show").exitCode()).isZero();
    assertThat(superuser("SELECT string_agg(state, ',' ORDER BY id) FROM onceward.ops_actions"))
        .isEqualTo("started,failed");
  }

  @Test
  void a_slot_of_another_database_is_not_this_relays() throws Exception {
    loginForSlots();
    try (MigratedDatabase other = MigratedDatabase.create(database.server());
        Connection superuser = other.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute("SELECT pg_create_logical_replication_slot('" + SLOT + "', 'pgoutput')");
      for (String what : List.of("drop", "recreate")) {
        CommandRun refused = run(what, "--yes");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains(other.name()).contains("onceward.relay.slot-name");
      }
      assertThat(run("show").out()).contains(other.name());
    }
  }

  private void loginForSlots() throws Exception {
    append("onceward.ops.slot-user=onceward_relay");
    append("onceward.ops.slot-password=" + MigratedDatabase.PASSWORD);
  }

  private Connection replication() throws SQLException {
    Properties login = new Properties();
    PGProperty.USER.set(login, "onceward_relay");
    PGProperty.PASSWORD.set(login, MigratedDatabase.PASSWORD);
    PGProperty.REPLICATION.set(login, "database");
    PGProperty.PREFER_QUERY_MODE.set(login, "simple");
    PGProperty.ASSUME_MIN_SERVER_VERSION.set(login, "16");
    return new org.postgresql.Driver().connect(database.url(), login);
  }

  private void append(String line) throws Exception {
    Files.writeString(Path.of(config), line + "\n", StandardOpenOption.APPEND);
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("slot"));
    all.addAll(List.of(arguments));
    all.addAll(List.of("--config", config));
    return CommandRun.of(all.toArray(String[]::new));
  }

  private String superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
