package dev.onceward.db.outbox;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.Needed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The examples of {@code docs/other-languages.md} do what the page says. Where their drivers are
 * not installed they are skipped, but never in the build ({@link Needed}).
 */
@ExtendWith(InfrastructureExtension.class)
class OtherLanguagesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final List<String> PYTHON = List.of("/usr/bin/python3");
  private static final List<String> NODE = List.of("node");

  @Test
  void the_python_example_writes_an_event(PostgresServer server, @TempDir Path folder)
      throws Exception {
    Finished driver = run(folder, List.of("/usr/bin/python3", "-c", "import psycopg2"), null, null);
    Needed.require(driver.exitCode() == 0, "python3-psycopg2: " + driver.output());

    writesAnEvent(server, folder, PYTHON, example("python", folder.resolve("example.py")));
  }

  @Test
  void the_node_example_writes_an_event(PostgresServer server, @TempDir Path folder)
      throws Exception {
    Path modules = ROOT.resolve(".ci").resolve("node_modules");
    Needed.require(
        Files.isDirectory(modules.resolve("pg")),
        "npm install --prefix .ci --no-package-lock brings pg");
    Files.createSymbolicLink(folder.resolve("node_modules"), modules);

    writesAnEvent(server, folder, NODE, example("javascript", folder.resolve("example.mjs")));
  }

  private static void writesAnEvent(
      PostgresServer server, Path folder, List<String> interpreter, Path example) throws Exception {
    try (MigratedDatabase database = MigratedDatabase.create(server)) {
      Tenant tenant = database.newTenant();

      Finished finished =
          run(folder, List.of(interpreter.get(0), example.toString()), database, tenant);

      assertThat(finished.exitCode()).as(finished.output()).isZero();
      UUID id = UUID.fromString(finished.output().strip());
      assertThat(event(database, id))
          .startsWith(tenant.workspaceId() + " order.paid 1 order o-42 ")
          .containsPattern("\"order_id\": ?\"o-42\"");
    }
  }

  private static String event(MigratedDatabase database, UUID id) throws SQLException {
    try (Connection connection = database.superuser();
        PreparedStatement statement =
            connection.prepareStatement(
                """
                SELECT concat_ws(' ', workspace_id, event_type, payload_version, aggregate_type, aggregate_id, payload)
                FROM onceward.outbox_events WHERE id = ?
                """)) {
      statement.setObject(1, id);
      try (ResultSet row = statement.executeQuery()) {
        assertThat(row.next()).isTrue();
        return row.getString(1);
      }
    }
  }

  /** Takes the one block of a language out of the page. */
  private static Path example(String language, Path file) throws IOException {
    String page = Files.readString(ROOT.resolve("docs").resolve("other-languages.md"));
    Matcher block =
        Pattern.compile("```" + language + "\n(?<code>.*?)```", Pattern.DOTALL).matcher(page);
    assertThat(block.find()).as("a %s example", language).isTrue();
    return Files.writeString(file, block.group("code"));
  }

  private record Finished(int exitCode, String output) {}

  private static Finished run(
      Path folder,
      List<String> command,
      @Nullable MigratedDatabase database,
      @Nullable Tenant tenant)
      throws IOException, InterruptedException {
    Path output = folder.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    if (database != null && tenant != null) {
      String address = database.url().substring("jdbc:postgresql://".length());
      builder
          .environment()
          .put(
              "DATABASE_URL",
              "postgresql://onceward_app:" + MigratedDatabase.PASSWORD + "@" + address);
      builder.environment().put("WORKSPACE_ID", tenant.workspaceId().toString());
    }
    Process process = builder.start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return new Finished(process.exitValue(), Files.readString(output, StandardCharsets.UTF_8));
  }
}
