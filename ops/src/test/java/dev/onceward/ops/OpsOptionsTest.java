package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.RefusedValues;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.SecurePostgres;
import dev.onceward.embedded.junit.TestCertificates;
import dev.onceward.process.Settings;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The connection that every command opens. */
@ExtendWith(InfrastructureExtension.class)
class OpsOptionsTest {

  @TempDir private Path directory;

  @Test
  void a_refused_value_is_in_no_failure(PostgresServer server) throws SQLException {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection connection =
            new OpsOptions()
                .connect(
                    Settings.of(
                        Map.of(
                            "onceward.database.url",
                            database.url(),
                            "onceward.database.password",
                            MigratedDatabase.PASSWORD)),
                    OpsOptions.READING_ROLE)) {
      RefusedValues.assertUntold(connection);
    }
  }

  @Test
  void a_server_whose_certificate_is_not_trusted_is_not_called_away() throws Exception {
    TestCertificates ours = TestCertificates.in(Files.createDirectory(directory.resolve("ours")));
    TestCertificates others =
        TestCertificates.in(Files.createDirectory(directory.resolve("others")));
    try (SecurePostgres server = SecurePostgres.start(ours)) {
      for (TestCertificates trusted : new TestCertificates[] {others, ours}) {
        CommandRun run =
            CommandRun.of(
                "status",
                "--config",
                OpsConfig.write(
                    directory,
                    server.url("localhost", "postgres", trusted),
                    "onceward_ops_read",
                    "wrong-marker-password"));
        assertThat(run.exitCode()).isEqualTo(4);
        assertThat(run.err())
            .containsOnlyOnce("\n")
            .contains(trusted == ours ? "refused the login" : "no TLS connection to the database")
            .contains(trusted == ours ? "onceward.database.password" : "sslrootcert")
            .doesNotContain("does not answer")
            .doesNotContain("wrong-marker-password");
      }
    }
  }
}
