package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.FreePorts;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class StatusCommandTest {

  @TempDir private Path directory;
  private MigratedDatabase database;
  private String config;

  @BeforeEach
  void prepare(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    config =
        OpsConfig.write(directory, database.url(), "onceward_ops_read", MigratedDatabase.PASSWORD);
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void a_database_without_a_slot_is_a_finding_that_names_the_remedy() {
    CommandRun run = CommandRun.of("status", "--config", config);

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(run.out())
        .contains("slot        missing")
        .contains("replication slot \"onceward\" does not exist")
        .contains("Start the relay");
  }

  @Test
  void a_slot_that_nobody_streams_from_is_a_finding() throws Exception {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute("SELECT pg_create_logical_replication_slot('status_test', 'pgoutput')");
    }
    System.setProperty("onceward.relay.slot-name", "status_test");
    try {
      CommandRun run = CommandRun.of("status", "--config", config);

      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(run.out())
          .contains("status_test, not in use, log reserved")
          .contains("not in use: no relay");
    } finally {
      System.clearProperty("onceward.relay.slot-name");
    }
  }

  @Test
  void events_and_operations_of_all_workspaces_are_counted() throws Exception {
    write(database.newTenant(), 2);
    write(database.newTenant(), 1);

    JsonNode status = CommandRun.of("status", "--config", config, "--output", "json").json();

    assertThat(status.path("outbox").path("events").asLong()).isEqualTo(3);
    assertThat(status.path("outbox").path("newest_at").asText()).startsWith("20");
    assertThat(status.path("operations").path("queued").asLong()).isEqualTo(3);
    assertThat(status.path("operations").path("dead").asLong()).isZero();
    assertThat(status.path("operations").size()).isEqualTo(7);
    assertThat(status.path("database").path("name").asText()).isEqualTo(database.name());
    assertThat(status.path("slot").isNull()).isTrue();
    assertThat(status.path("findings").size()).isOne();
  }

  @Test
  void a_database_that_is_away_is_one_line_and_exit_code_4() throws Exception {
    String away = "jdbc:postgresql://127.0.0.1:" + FreePorts.next() + "/onceward";
    String file = OpsConfig.write(directory, away, "onceward_ops_read", "x");

    CommandRun run = CommandRun.of("status", "--config", file);

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.out()).isEmpty();
    assertThat(run.err())
        .containsOnlyOnce("\n")
        .contains("the database does not answer")
        .contains("onceward.database.url");
  }

  @Test
  void a_wrong_password_is_named_as_the_login_and_never_printed() throws Exception {
    String file =
        OpsConfig.write(directory, database.url(), "onceward_ops_read", "wrong-marker-password");

    CommandRun run = CommandRun.of("status", "--config", file);

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.err()).contains("refused the login").doesNotContain("wrong-marker-password");
  }

  @Test
  void a_role_without_the_right_to_look_is_told_which_one_has_it() throws Exception {
    String file =
        OpsConfig.write(directory, database.url(), "onceward_app", MigratedDatabase.PASSWORD);

    CommandRun run = CommandRun.of("status", "--config", file);

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.err()).contains("may not do this").contains("onceward_ops_read");
  }

  @Test
  void a_database_without_the_schema_asks_for_the_migrations() throws Exception {
    String empty = database.url().replace(database.name(), "postgres");
    String file = OpsConfig.write(directory, empty, "onceward_ops_read", MigratedDatabase.PASSWORD);

    CommandRun run = CommandRun.of("status", "--config", file);

    assertThat(run.exitCode()).isEqualTo(4);
    assertThat(run.err()).contains("Run the migrations");
  }

  @Test
  void a_missing_setting_is_exit_code_3_and_named() throws Exception {
    Path file = Files.writeString(directory.resolve("empty.properties"), "");

    CommandRun run = CommandRun.of("status", "--config", file.toString());

    assertThat(run.exitCode()).isEqualTo(3);
    assertThat(run.err()).contains("onceward.database.url").contains("ONCEWARD_DATABASE_URL");
  }

  @Test
  void wrong_command_lines_are_exit_code_2() {
    assertThat(CommandRun.of().exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("statsu").err()).contains("statsu");
    assertThat(CommandRun.of("status", "--outptu", "json").exitCode()).isEqualTo(2);
    assertThat(CommandRun.of("status", "--output", "xml").err()).contains("xml");
  }

  private void write(Tenant tenant, int tasks) throws Exception {
    for (int i = 0; i < tasks; i++) {
      String store = UUID.randomUUID().toString();
      String payload = "{\"store_id\":\"%s\",\"credential_version\":1}".formatted(store);
      database
          .app()
          .runInWorkspace(
              tenant.workspaceId(),
              connection -> {
                TaskWriter.append(
                    connection,
                    NewTask.of(
                        "verify_store_credentials",
                        NewEvent.of("store.credentials_submitted", "store", store, payload)));
              });
    }
  }
}
