package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class ChangeCommandsTest {

  @TempDir private Path directory;
  private MigratedDatabase database;
  private String config;
  private String workspace;
  private String user;

  @BeforeEach
  void prepare(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    config = OpsConfig.write(directory, database.url(), "onceward_ops", MigratedDatabase.PASSWORD);
    JsonNode made =
        CommandRun.of(
                "workspaces", "create", "--config", config, "--output", "json", "Shop & Söhne")
            .json();
    workspace = made.path("workspace_id").asText();
    user = made.path("user_id").asText();
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void without_a_terminal_a_change_needs_a_yes_and_leaves_no_record() throws Exception {
    CommandRun refused = CommandRun.of(disable());

    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err())
        .contains("All keys of the user " + user + " are refused from now on")
        .contains("Add --yes to do it, or --dry-run to see what it would do");
    assertThat(isDisabled()).isFalse();
    assertThat(actions()).hasSize(1);
  }

  @Test
  void at_a_terminal_the_operator_is_asked_and_only_yes_goes_on() throws Exception {
    for (String answer : List.of("n", "", "yesno")) {
      CommandRun refused = CommandRun.answering(List.of(answer), disable());
      assertThat(refused.exitCode()).isEqualTo(1);
      assertThat(refused.err())
          .contains("are refused from now on. Go on? [y/N] ")
          .contains("Nothing was changed");
    }
    assertThat(CommandRun.answering(List.of(), disable()).exitCode()).isEqualTo(1);
    assertThat(isDisabled()).isFalse();
    assertThat(actions()).hasSize(1);

    assertThat(CommandRun.answering(List.of(" Y "), disable()).exitCode()).isZero();
    assertThat(isDisabled()).isTrue();
  }

  @Test
  void a_change_is_recorded_with_who_what_and_result_and_a_dry_run_is_not() throws Exception {
    CommandRun dry = CommandRun.of(disable("--dry-run", "--yes"));
    assertThat(dry.exitCode()).isZero();
    assertThat(dry.err()).isEqualTo("onceward: dry run, nothing was changed\n");
    assertThat(isDisabled()).isFalse();

    assertThat(CommandRun.of(disable("--yes")).exitCode()).isZero();

    List<JsonNode> actions = actions();
    assertThat(actions).hasSize(2);
    JsonNode newest = actions.get(0);
    assertThat(newest.path("command").asText()).isEqualTo("users disable");
    assertThat(newest.path("arguments").asText())
        .isEqualTo("--workspace=" + workspace + " " + user);
    assertThat(newest.path("operator").asText()).isEqualTo(System.getProperty("user.name"));
    assertThat(newest.path("database_role").asText()).isEqualTo("onceward_ops");
    assertThat(newest.path("state").asText()).isEqualTo("done");
    assertThat(newest.path("result").asText()).isEqualTo("disabled " + user);
    assertThat(actions.get(1).path("arguments").asText()).isEqualTo("Shop & Söhne");

    String text = CommandRun.of("actions", "--config", config, "--limit", "1").out();
    assertThat(text.lines().count()).isEqualTo(2);
    assertThat(text).startsWith("ID  ").contains("users disable  --workspace=");
    assertThat(
            CommandRun.of("actions", "--config", config, "--limit", "0", "--output", "json")
                .exitCode())
        .isEqualTo(2);
  }

  @Test
  void a_change_that_fails_leaves_no_record() throws Exception {
    String unknown = workspace;
    assertThat(
            CommandRun.of(
                    "users",
                    "disable",
                    "--yes",
                    "--config",
                    config,
                    "--workspace",
                    workspace,
                    unknown)
                .exitCode())
        .isEqualTo(2);
    assertThat(actions()).hasSize(1);
  }

  private String[] disable(String... more) {
    List<String> all =
        new ArrayList<>(
            List.of("users", "disable", "--config", config, "--workspace", workspace, user));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private boolean isDisabled() throws Exception {
    return CommandRun.of(
            "users", "list", "--config", config, "--workspace", workspace, "--output", "json")
        .json()
        .get(0)
        .path("disabled_at")
        .isTextual();
  }

  private List<JsonNode> actions() throws Exception {
    List<JsonNode> actions = new ArrayList<>();
    CommandRun.of("actions", "--config", config, "--output", "json").json().forEach(actions::add);
    return actions;
  }
}
