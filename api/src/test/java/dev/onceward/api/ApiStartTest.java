package dev.onceward.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.SecurePostgres;
import dev.onceward.embedded.junit.TestCertificates;
import dev.onceward.embedded.junit.TestDatabase;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Shutdown;
import dev.onceward.process.StartupException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** What keeps the API from starting, each with one message that names the remedy. */
@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ApiStartTest {
  private final MigratedDatabase database;

  ApiStartTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
  }

  @AfterAll
  void drop() throws SQLException {
    database.close();
  }

  @Tag("S51")
  @Test
  void a_superuser_is_refused() {
    assertRefused(
        Map.of(
            "onceward.database.user", database.server().superuser(),
            "onceward.database.password", database.server().superuserPassword()),
        "is a superuser",
        "onceward_app");
  }

  @Tag("S51")
  @Test
  void the_owner_of_the_tables_is_refused() {
    assertRefused(
        Map.of("onceward.database.user", "onceward_owner"), "owns the tables", "onceward_app");
  }

  @Tag("S51")
  @Test
  void a_role_without_rights_or_one_that_bypasses_row_level_security_is_refused() throws Exception {
    try (var superuser = database.superuser();
        var statement = superuser.createStatement()) {
      statement.execute("CREATE ROLE bypasser LOGIN BYPASSRLS PASSWORD 'test-password'");
      try {
        assertRefused(Map.of("onceward.database.user", "bypasser"), "may not use", "onceward_app");
        statement.execute("GRANT USAGE ON SCHEMA onceward TO bypasser");
        assertRefused(
            Map.of("onceward.database.user", "bypasser"), "has BYPASSRLS", "onceward_app");
      } finally {
        statement.execute("DROP OWNED BY bypasser");
        statement.execute("DROP ROLE bypasser");
      }
    }
  }

  @Test
  void a_database_without_our_schema_is_refused(TestDatabase empty) {
    assertRefused(
        Map.of("onceward.database.url", empty.jdbcUrl()), "does not exist", "Run the migrations");
  }

  @Test
  void a_wrong_password_is_refused_and_not_repeated() {
    StartupException refusal =
        assertRefused(
            Map.of("onceward.database.password", "not-the-password"),
            "refuses the login",
            "onceward.database.password");
    assertThat(refusal).hasMessageNotContaining("not-the-password");
  }

  @Test
  void a_missing_database_is_named_as_such() {
    assertRefused(
        Map.of("onceward.database.url", database.server().jdbcUrl("nowhere")),
        "the database does not exist",
        "onceward.database.url");
  }

  @Test
  void an_unreachable_server_is_named_as_such() throws Exception {
    assertRefused(
        Map.of("onceward.database.url", "jdbc:postgresql://127.0.0.1:" + freePort() + "/x"),
        "cannot be reached",
        "host and port");
  }

  @Test
  void a_server_whose_certificate_is_not_trusted_is_not_called_away(@TempDir Path directory)
      throws Exception {
    TestCertificates ours = TestCertificates.in(Files.createDirectory(directory.resolve("ours")));
    TestCertificates others =
        TestCertificates.in(Files.createDirectory(directory.resolve("others")));
    try (SecurePostgres server = SecurePostgres.start(ours)) {
      StartupException refusal =
          assertRefused(
              Map.of("onceward.database.url", server.url("localhost", "postgres", others)),
              "no TLS connection to PostgreSQL",
              "sslrootcert");
      assertThat(refusal).hasMessageNotContaining("cannot be reached");
      assertRefused(
          Map.of("onceward.database.url", server.url("localhost", "postgres", ours)),
          "refuses the login",
          "onceward.database.password");
    }
  }

  @Test
  void a_taken_port_is_named_with_its_setting() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = Integer.toString(taken.getLocalPort());
      assertRefused(Map.of("onceward.api.port", port), port, "onceward.api.port");
    }
  }

  private StartupException assertRefused(
      Map<String, String> changed, String message, String remedy) {
    ApiConfig config = TestApi.config(database, changed);
    Throwable failure = failureOf(config);
    StartupException refusal =
        failure instanceof StartupException known ? known : ApiFailures.classify(failure);
    assertThat(refusal).as("%s", failure).isNotNull().hasMessageContaining(message);
    assertThat(refusal.remedy()).contains(remedy);
    assertThat(refusal.exitCode()).isEqualTo(ExitCode.UNAVAILABLE);
    return refusal;
  }

  private static Throwable failureOf(ApiConfig config) {
    try (ApiServer server = ApiServer.start(config, new Shutdown(Duration.ZERO))) {
      throw new AssertionError("started on port " + server.port());
    } catch (SQLException | RuntimeException e) {
      return e;
    }
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}
