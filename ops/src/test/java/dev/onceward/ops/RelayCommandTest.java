package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class RelayCommandTest {

  @TempDir private Path directory;
  private MigratedDatabase database;
  private String config;

  @BeforeEach
  void prepare(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    config = OpsConfig.write(directory, database.url(), "onceward_ops", MigratedDatabase.PASSWORD);
    superuser(
        "INSERT INTO onceward.relay_state (relay, system_identifier, audited_snapshot)"
            + " VALUES ('onceward', 42, pg_current_snapshot())");
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void a_relay_is_paused_seen_and_resumed() throws Exception {
    assertThat(json("status").path("paused_at").isNull()).isTrue();
    assertThat(json("pause", "--dry-run").path("paused_at").isTextual()).isTrue();
    assertThat(json("status").path("paused_at").isNull()).isTrue();

    JsonNode paused = json("pause", "--yes");
    assertThat(paused.path("paused_by").asText()).isEqualTo(System.getProperty("user.name"));
    assertThat(json("status")).isEqualTo(paused);
    assertThat(run("status").out()).contains("paused           since ").contains("leader");

    assertThat(json("resume").path("paused_at").isNull()).isTrue();
    assertThat(run("resume").out()).contains("paused           no");
  }

  @Test
  void a_repair_says_what_it_does_and_needs_a_yes() throws Exception {
    assertUsage("--yes", "repair", "--restored");
    assertUsage("--upgraded", "repair", "--yes");
    assertUsage("--upgraded", "repair", "--restored", "--upgraded", "--yes");

    JsonNode dry = json("repair", "--restored", "--dry-run");
    assertThat(dry.path("dry_run").asBoolean()).isTrue();
    assertThat(dry.at("/repair/old_system_identifier").asLong()).isEqualTo(42);
    assertThat(superuser("SELECT system_identifier FROM onceward.relay_state")).isEqualTo("42");
    assertThat(superuser("SELECT count(*) FROM onceward.relay_repairs")).isEqualTo("0");
    assertThat(superuser("SELECT count(*) FROM onceward.ops_actions")).isEqualTo("0");

    JsonNode upgraded = json("repair", "--upgraded", "--yes");
    assertThat(upgraded.path("dry_run").asBoolean()).isFalse();
    assertThat(superuser("SELECT audited_snapshot IS NULL FROM onceward.relay_state"))
        .isEqualTo("f");
    assertThat(run("repair", "--restored", "--yes").out()).contains("rows renumbered  0");
    assertThat(superuser("SELECT audited_snapshot IS NULL FROM onceward.relay_state"))
        .isEqualTo("t");
    assertThat(superuser("SELECT string_agg(kind, ',' ORDER BY id) FROM onceward.relay_repairs"))
        .isEqualTo("upgraded,restored");
    assertThat(
            superuser(
                "SELECT string_agg(command || ' ' || arguments || ' ' || state, ',' ORDER BY id)"
                    + " FROM onceward.ops_actions"))
        .isEqualTo("relay repair --upgraded done,relay repair --restored done");
  }

  @Test
  void a_relay_that_leads_is_not_repaired() throws Exception {
    try (Connection leader = database.connect("onceward_relay");
        Statement statement = leader.createStatement()) {
      statement.execute("SELECT pg_advisory_lock(hashtextextended('onceward relay onceward', 0))");
      assertThat(run("status").out()).contains("server process ");
      CommandRun refused = run("repair", "--restored", "--yes");
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err()).contains("A relay leads").contains("Stop every relay");
    }
  }

  @Test
  void an_unknown_relay_is_named_with_the_known_ones() throws Exception {
    superuser("UPDATE onceward.relay_state SET relay = 'mine'");
    for (List<String> what :
        List.of(List.of("status"), List.of("pause", "--yes"), List.of("resume"))) {
      CommandRun refused = run(what.toArray(String[]::new));
      assertThat(refused.exitCode()).as("%s", what).isEqualTo(1);
      assertThat(refused.err()).contains("\"onceward\"").contains("[mine]");
    }
    assertUsage("status, pause, resume or repair");
  }

  private void assertUsage(String named, String... arguments) {
    CommandRun refused = run(arguments);
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains(named);
  }

  private JsonNode json(String what, String... arguments) throws Exception {
    List<String> all = new ArrayList<>(List.of(what, "--output", "json"));
    all.addAll(List.of(arguments));
    CommandRun run = run(all.toArray(String[]::new));
    assertThat(run.err())
        .isEqualTo(all.contains("--dry-run") ? "onceward: dry run, nothing was changed\n" : "");
    assertThat(run.exitCode()).isZero();
    return run.json();
  }

  private CommandRun run(String... arguments) {
    List<String> all = new ArrayList<>(List.of("relay"));
    all.addAll(List.of(arguments));
    if (arguments.length > 0) {
      all.add("--config");
      all.add(config);
    }
    return CommandRun.of(all.toArray(String[]::new));
  }

  private String superuser(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement()) {
      if (!statement.execute(sql)) {
        return "";
      }
      try (ResultSet row = statement.getResultSet()) {
        row.next();
        return row.getString(1);
      }
    }
  }
}
