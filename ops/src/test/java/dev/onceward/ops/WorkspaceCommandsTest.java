package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.workspace.AccessKey;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.AccessKeyToken;
import dev.onceward.db.workspace.Role;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class WorkspaceCommandsTest {

  @TempDir private Path directory;
  private MigratedDatabase database;
  private String config;

  @BeforeEach
  void prepare(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    config = OpsConfig.write(directory, database.url(), "onceward_ops", MigratedDatabase.PASSWORD);
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void a_key_made_here_is_the_users_key_and_can_be_revoked() throws Exception {
    JsonNode made = json("workspaces", "create", "Shop & Söhne", "İpek");
    String workspace = made.path("workspace_id").asText();
    String user = made.path("user_id").asText();

    JsonNode key = json("keys", "create", "--workspace", workspace, "--user", user);

    AccessKeyToken token = AccessKeyToken.parse(key.path("access_key").asText()).orElseThrow();
    AccessKey stored = stored(token);
    assertThat(stored.workspaceId()).isEqualTo(UUID.fromString(workspace));
    assertThat(stored.userId()).isEqualTo(UUID.fromString(user));
    assertThat(token.matches(stored.secretHash())).isTrue();
    assertThat(stored.valid()).isTrue();
    assertThat(stored.role()).isEqualTo(Role.ADMINISTRATOR);

    json("keys", "revoke", "--yes", "--workspace", workspace, "--key", key.path("key_id").asText());

    assertThat(stored(token).valid()).isFalse();
    assertThat(json("workspaces", "list").findValuesAsText("name")).containsExactly("Shop & Söhne");
  }

  @Test
  void a_user_of_another_workspace_gets_no_key() throws Exception {
    String workspace = json("workspaces", "create", "one").path("workspace_id").asText();
    String stranger = json("workspaces", "create", "two").path("user_id").asText();

    CommandRun run =
        CommandRun.of(
            "keys", "create", "--config", config, "--workspace", workspace, "--user", stranger);

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("has no user " + stranger);
  }

  @Test
  void bad_names_and_ids_are_refused_by_value() {
    assertThat(CommandRun.of("workspaces", "create", "--config", config, " ").err())
        .contains("give 1 to 200");
    assertThat(
            CommandRun.of("workspaces", "create", "--config", config, "x".repeat(201)).exitCode())
        .isEqualTo(2);
    CommandRun run =
        CommandRun.of("keys", "create", "--config", config, "--workspace", "w1", "--user", "u1");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("'w1'");
  }

  @Test
  void revoking_an_unknown_key_says_so() throws Exception {
    String workspace = json("workspaces", "create", "one").path("workspace_id").asText();

    CommandRun run =
        CommandRun.of(
            "keys",
            "revoke",
            "--yes",
            "--config",
            config,
            "--workspace",
            workspace,
            "--key",
            "nokey123");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("nokey123");
  }

  @Test
  void users_are_made_disabled_and_enabled_and_an_operator_makes_installation_administrators()
      throws Exception {
    String workspace = json("workspaces", "create", "one").path("workspace_id").asText();
    JsonNode made =
        json(
            "users",
            "create",
            "--workspace",
            workspace,
            "--role",
            "installation_administrator",
            "Ada");
    String user = made.path("user_id").asText();
    JsonNode key = json("keys", "create", "--workspace", workspace, "--user", user);
    AccessKeyToken token = AccessKeyToken.parse(key.path("access_key").asText()).orElseThrow();
    assertThat(stored(token).role()).isEqualTo(Role.INSTALLATION_ADMINISTRATOR);

    json("users", "disable", "--yes", "--workspace", workspace, user);
    assertThat(stored(token).valid()).isFalse();
    assertThat(json("users", "list", "--workspace", workspace).findValuesAsText("role"))
        .containsExactly("installation_administrator", "administrator");
    json("users", "enable", "--workspace", workspace, user);
    assertThat(stored(token).valid()).isTrue();

    for (String[] wrong :
        List.of(
            new String[] {"users", "create", "--workspace", workspace, "--role", "boss", "x"},
            new String[] {"users", "disable", "--yes", "--workspace", workspace, workspace},
            new String[] {"users", "create", "--workspace", user, "x"},
            new String[] {"workspaces", "rename", user, "x"})) {
      String[] all = Arrays.copyOf(wrong, wrong.length + 2);
      all[wrong.length] = "--config";
      all[wrong.length + 1] = config;
      assertThat(CommandRun.of(all).exitCode()).as(String.join(" ", wrong)).isEqualTo(2);
    }
  }

  @Test
  void a_rotated_key_ends_after_the_overlap_and_a_renamed_workspace_has_its_new_name()
      throws Exception {
    JsonNode made = json("workspaces", "create", "one");
    String workspace = made.path("workspace_id").asText();
    String user = made.path("user_id").asText();
    JsonNode key = json("keys", "create", "--workspace", workspace, "--user", user);
    AccessKeyToken old = AccessKeyToken.parse(key.path("access_key").asText()).orElseThrow();

    JsonNode next =
        json(
            "keys",
            "rotate",
            "--yes",
            "--workspace",
            workspace,
            "--key",
            old.keyId(),
            "--overlap",
            "PT0S");

    assertThat(stored(old).valid()).isFalse();
    AccessKeyToken token = AccessKeyToken.parse(next.path("access_key").asText()).orElseThrow();
    assertThat(stored(token).valid()).isTrue();
    assertThat(stored(token).userId()).isEqualTo(UUID.fromString(user));
    JsonNode keys = json("keys", "list", "--workspace", workspace);
    assertThat(keys.findValuesAsText("state")).containsExactly("active", "ended");
    assertThat(keys.toString()).doesNotContain("hash").doesNotContain(token.reveal());
    assertThat(
            CommandRun.of(
                    "keys",
                    "rotate",
                    "--yes",
                    "--config",
                    config,
                    "--workspace",
                    workspace,
                    "--key",
                    old.keyId())
                .exitCode())
        .isEqualTo(2);
    assertThat(json("workspaces", "rename", workspace, "two").path("name").asText())
        .isEqualTo("two");
  }

  private JsonNode json(String... arguments) throws Exception {
    String[] all = new String[arguments.length + 4];
    System.arraycopy(arguments, 0, all, 0, arguments.length);
    all[arguments.length] = "--config";
    all[arguments.length + 1] = config;
    all[arguments.length + 2] = "--output";
    all[arguments.length + 3] = "json";
    CommandRun run = CommandRun.of(all);
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    return run.json();
  }

  private AccessKey stored(AccessKeyToken token) throws SQLException {
    return database
        .app()
        .inTransaction(connection -> AccessKeyStore.find(connection, token.keyId()))
        .orElseThrow();
  }
}
