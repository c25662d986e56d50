package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;

class ServerUserTest {
  @TempDir Path directory;

  @Test
  void an_ordinary_user_runs_the_programs_directly_and_root_in_disguise() {
    ServerUser user = ServerUser.detect();
    assertThat(user.command(Path.of("/bin/initdb"), "-D", "x"))
        .endsWith("/bin/initdb", "-D", "x")
        .hasSize(3 + user.prefix().size());
    assertThat(user.prefix().isEmpty()).isEqualTo(!isRoot());
  }

  @Test
  @EnabledIf("isRoot")
  void where_namespaces_are_forbidden_the_server_runs_as_nobody() throws Exception {
    Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    ServerUser nobody =
        ServerUser.other("nobody", ProgramResult.run(List.of("id", "-g", "nobody")).output());
    try (PostgresServer server =
        EmbeddedPostgres.started(
            PostgresOptions.keptIn(directory.resolve("server")), nobody, directory)) {
      assertThat(Files.getOwner(directory.resolve("server/data")).getName()).isEqualTo("nobody");
      PostgresServerTest.execute(server, "CREATE TABLE kept (id int)");
      server.kill();
      server.start();
      assertThat(PostgresServerTest.query(server, "SELECT count(*) FROM kept")).isEqualTo("0");
    }
  }

  static boolean isRoot() {
    return ProgramResult.run(List.of("id", "-u")).output().equals("0");
  }
}
