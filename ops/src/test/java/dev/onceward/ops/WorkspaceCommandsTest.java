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

    json("keys", "revoke", "--workspace", workspace, "--key", key.path("key_id").asText());

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
            "keys", "revoke", "--config", config, "--workspace", workspace, "--key", "nokey123");

    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("nokey123");
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
