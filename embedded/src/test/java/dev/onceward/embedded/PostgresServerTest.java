package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

class PostgresServerTest {
  @TempDir Path directory;

  @Test
  void starts_answers_and_leaves_nothing_behind() throws Exception {
    Path temporary;
    try (PostgresServer server = PostgresServer.start(PostgresOptions.temporary())) {
      temporary = Path.of(setting(server, "data_directory")).getParent();
      assertThat(temporary).isDirectory();
      assertThat(setting(server, "wal_level")).isEqualTo("logical");
      assertThat(setting(server, "fsync")).isEqualTo("on");
      assertThat(setting(server, "password_encryption")).isEqualTo("scram-sha-256");
    }
    assertThat(temporary).doesNotExist();
  }

  @Test
  void a_kill_keeps_what_was_committed_and_the_port() throws Exception {
    try (PostgresServer server = PostgresServer.start(PostgresOptions.temporary())) {
      int port = server.port();
      execute(server, "CREATE TABLE kept (id int)");
      execute(server, "INSERT INTO kept VALUES (1)");
      try (Connection open = server.connect("postgres");
          Statement statement = open.createStatement()) {
        open.setAutoCommit(false);
        statement.execute("INSERT INTO kept VALUES (2)");
        server.kill();
        assertThat(server.isRunning()).isFalse();
        assertThatThrownBy(() -> server.connect("postgres")).isInstanceOf(SQLException.class);
      } catch (SQLException closingADeadConnection) {
        assertThat(server.isRunning()).isFalse();
      }
      server.start();
      assertThat(server.port()).isEqualTo(port);
      assertThat(query(server, "SELECT string_agg(id::text, ',') FROM kept")).isEqualTo("1");
      assertThat(server.logTail()).contains("not properly shut down");
    }
  }

  @Test
  void a_suspended_server_keeps_its_connections_and_answers_when_it_goes_on() throws Exception {
    try (PostgresServer server = PostgresServer.start(PostgresOptions.temporary());
        Connection connection = server.connect("postgres")) {
      server.suspend();
      assertThat(server.isRunning()).isTrue();
      assertThat(connection.isValid(1)).isFalse();

      server.resume();
      try (Connection again = server.connect("postgres")) {
        assertThat(again.isValid(10)).isTrue();
      }
      server.suspend(); // closing ends it all the same
    }
  }

  @Test
  void each_mode_stops_it_and_it_starts_again() throws Exception {
    try (PostgresServer server = PostgresServer.start(PostgresOptions.temporary())) {
      execute(server, "CREATE TABLE kept (id int)");
      for (ShutdownMode mode : ShutdownMode.values()) {
        server.stop(mode);
        assertThat(server.isRunning()).as("after %s", mode).isFalse();
        server.start();
        execute(server, "INSERT INTO kept VALUES (1)");
      }
      assertThat(query(server, "SELECT count(*) FROM kept")).isEqualTo("3");
    }
  }

  @Test
  void a_kept_directory_keeps_data_and_password_for_the_next_server() throws Exception {
    PostgresOptions kept = PostgresOptions.keptIn(directory);
    String password;
    try (PostgresServer first = PostgresServer.start(kept)) {
      password = first.superuserPassword();
      execute(first, "CREATE TABLE kept (id int)");
    }
    try (PostgresServer second = PostgresServer.start(kept)) {
      assertThat(second.superuserPassword()).isEqualTo(password);
      assertThat(query(second, "SELECT count(*) FROM kept")).isEqualTo("0");
    }
  }

  @Test
  void a_directory_in_use_is_refused_and_its_user_is_not_disturbed() throws Exception {
    PostgresOptions kept = PostgresOptions.keptIn(directory);
    try (PostgresServer first = PostgresServer.start(kept)) {
      assertThatThrownBy(() -> PostgresServer.start(kept))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("name another directory");
      assertThat(query(first, "SELECT 1")).isEqualTo("1");
    }
  }

  @Test
  void data_of_another_major_version_is_refused_with_the_profile_to_use() throws Exception {
    PostgresOptions kept = PostgresOptions.keptIn(directory);
    PostgresServer.start(kept).close();
    Files.writeString(directory.resolve("data/PG_VERSION"), "15\n");
    assertThatThrownBy(() -> PostgresServer.start(kept))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("PostgreSQL 15")
        .hasMessageContaining("postgres15");
  }

  @Test
  void a_taken_port_is_refused_by_number() throws IOException {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();
      assertThatThrownBy(
              () -> PostgresServer.start(PostgresOptions.keptIn(directory).withPort(port)))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("Port " + port)
          .hasMessageContaining("another port");
    }
    assertThat(directory).isEmptyDirectory();
  }

  @Test
  void a_refused_setting_is_told_with_the_words_of_the_server() {
    PostgresOptions wrong = PostgresOptions.temporary().withSetting("max_connections", "many");
    assertThatThrownBy(() -> PostgresServer.start(wrong))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("max_connections");
    assertThatThrownBy(() -> PostgresOptions.temporary().withSetting("No Setting", "1"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("No Setting");
  }

  @Test
  void a_copied_database_has_what_its_template_had() throws Exception {
    PostgresServer server = SharedServers.postgres();
    server.createDatabase("a \"template\"");
    try (Connection connection = server.connect("a%20%22template%22");
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE copied (id int)");
    }
    server.createDatabase("a copy", "a \"template\"");
    try (Connection connection = server.connect("a%20copy")) {
      assertThat(query(connection, "SELECT count(*) FROM copied")).isEqualTo("0");
      server.dropDatabase("a copy"); // in spite of the connection
    }
    server.dropDatabase("a \"template\"");
    server.dropDatabase("never there");
  }

  @Test
  void a_database_with_a_streaming_replication_slot_can_be_dropped() throws Exception {
    PostgresServer server = SharedServers.postgres();
    server.createDatabase("streamed");
    Properties properties = new Properties();
    properties.put("user", server.superuser());
    properties.put("password", server.superuserPassword());
    properties.put("replication", "database");
    properties.put("assumeMinServerVersion", "16");
    properties.put("preferQueryMode", "simple");
    Connection connection = DriverManager.getConnection(server.jdbcUrl("streamed"), properties);
    try (connection) {
      PGConnection replication = connection.unwrap(PGConnection.class);
      replication
          .getReplicationAPI()
          .createReplicationSlot()
          .logical()
          .withSlotName("streamed")
          .withOutputPlugin("test_decoding")
          .make();
      replication
          .getReplicationAPI()
          .replicationStream()
          .logical()
          .withSlotName("streamed")
          .start();
      server.dropDatabase("streamed");
    } catch (SQLException closingADeadConnection) {
      assertThat(closingADeadConnection.getSQLState()).startsWith("08");
    }
    assertThat(query(server, "SELECT count(*) FROM pg_replication_slots")).isEqualTo("0");
    assertThat(query(server, "SELECT count(*) FROM pg_database WHERE datname = 'streamed'"))
        .isEqualTo("0");
  }

  static String setting(PostgresServer server, String name) throws SQLException {
    return query(server, "SHOW " + name);
  }

  static void execute(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  static String query(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = server.connect("postgres")) {
      return query(connection, sql);
    }
  }

  private static String query(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
