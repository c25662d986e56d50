package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.hook.HookAction;
import dev.onceward.db.hook.HookAddress;
import dev.onceward.db.hook.HookStore;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class HooksCommandTest {

  @TempDir private Path directory;
  private MigratedDatabase database;
  private Tenant tenant;
  private String config;

  @BeforeEach
  void prepare(PostgresServer server) throws Exception {
    database = MigratedDatabase.create(server);
    tenant = database.newTenant();
    config = OpsConfig.write(directory, database.url(), "onceward_ops", MigratedDatabase.PASSWORD);
    Files.writeString(
        Path.of(config),
        "onceward.credential-keys=k1:" + Base64.getEncoder().encodeToString(new byte[32]) + "\n",
        StandardOpenOption.APPEND);
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void a_hook_made_here_is_the_apis_hook_through_all_its_life() throws Exception {
    JsonNode made = json("create", "--starts", "listing_review", "--name", "Lager");
    String id = made.at("/hook/id").asText();
    HookAddress address = address(id).orElseThrow();
    assertThat(address.workspaceId()).isEqualTo(tenant.workspaceId());
    assertThat(address.action()).isEqualTo(HookAction.START_RUN);
    assertThat(address.secrets().get(0).reveal()).isEqualTo(made.path("secret").asText());

    JsonNode rotated = json("rotate", "--yes", "--hook", id, "--overlap", "PT1H");
    assertThat(address(id).orElseThrow().secrets())
        .extracting(secret -> secret.reveal())
        .containsExactly(rotated.path("secret").asText(), made.path("secret").asText());

    json("disable", "--yes", "--hook", id);
    assertThat(address(id).orElseThrow().enabled()).isFalse();
    json("enable", "--hook", id);
    assertThat(address(id).orElseThrow().enabled()).isTrue();

    assertThat(json("list").findValuesAsText("id")).containsExactly(id);
    assertThat(json("list").toString()).doesNotContain("whsec_");
    json("delete", "--yes", "--hook", id);
    assertThat(address(id)).isEmpty();
  }

  @Test
  void a_hook_of_another_workspace_is_unknown_here() throws Exception {
    String id = json("create").at("/hook/id").asText();
    Tenant other = database.newTenant();

    for (String what : List.of("rotate", "disable", "delete")) {
      CommandRun run =
          CommandRun.of(
              "hooks",
              what,
              "--yes",
              "--config",
              config,
              "--workspace",
              other.workspaceId().toString(),
              "--hook",
              id);
      assertThat(run.exitCode()).as(what).isEqualTo(2);
      assertThat(run.err()).contains("has no hook " + id);
    }
    assertThat(address(id).orElseThrow().enabled()).isTrue();
  }

  @Test
  void an_unknown_flow_is_refused_with_the_known_ones() {
    CommandRun run =
        CommandRun.of(
            "hooks",
            "create",
            "--config",
            config,
            "--workspace",
            tenant.workspaceId().toString(),
            "--starts",
            "nothing");
    assertThat(run.exitCode()).isEqualTo(2);
    assertThat(run.err()).contains("listing_review");
  }

  private JsonNode json(String what, String... arguments) throws Exception {
    List<String> all =
        new ArrayList<>(
            List.of(
                "hooks",
                what,
                "--config",
                config,
                "--output",
                "json",
                "--workspace",
                tenant.workspaceId().toString()));
    all.addAll(List.of(arguments));
    CommandRun run = CommandRun.of(all.toArray(String[]::new));
    assertThat(run.err()).isEmpty();
    assertThat(run.exitCode()).isZero();
    return run.json();
  }

  private Optional<HookAddress> address(String id) throws SQLException {
    HookStore hooks = new HookStore(new CredentialCipher(Map.of("k1", new byte[32])));
    return database
        .app()
        .inTransaction(connection -> hooks.findAddress(connection, UUID.fromString(id)));
  }
}
