package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.embedded.junit.SecureKafka;
import dev.onceward.embedded.junit.SecurePostgres;
import dev.onceward.embedded.junit.TestCertificates;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.Properties;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A PostgreSQL and a Kafka that speak TLS alone, with certificates of an authority of the test's
 * own. The relay's own settings are those of the documentation.
 */
@LongFault
class EncryptionTest {

  @TempDir static Path directory;

  private static TestCertificates certificates;
  private static TestCertificates others;
  private static SecurePostgres postgres;
  private static SecureKafka kafka;
  private static MigratedDatabase database;

  private String said = "";

  @BeforeAll
  static void start() throws Exception {
    certificates = TestCertificates.in(Files.createDirectory(directory.resolve("ours")));
    others = TestCertificates.in(Files.createDirectory(directory.resolve("others")));
    postgres = SecurePostgres.start(certificates);
    database = MigratedDatabase.create(postgres.server());
    kafka = SecureKafka.start(certificates);
  }

  @AfterAll
  static void stop() throws SQLException {
    if (database != null) {
      database.close();
    }
    if (postgres != null) {
      postgres.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  @AfterEach
  void nobody_has_told_a_secret() {
    assertThat(said)
        .doesNotContain(MigratedDatabase.PASSWORD)
        .doesNotContain(SecureKafka.PASSWORD)
        .doesNotContain(TestCertificates.PASSWORD)
        .doesNotContain("wrong-marker");
  }

  @ParameterizedTest
  @ValueSource(strings = {"debezium", "direct"})
  void every_connection_is_encrypted_and_knows_its_server(String capture) throws Exception {
    Map<String, String> settings = settings(url("localhost", certificates));
    settings.put("onceward.relay.capture", capture);
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      UUID event = new TestOutbox(database).append("a", "1");
      await()
          .atMost(Duration.ofSeconds(30))
          .until(
              () ->
                  TestRecords.ids(TestRecords.read(kafka.broker().bootstrapServers(), "secure."))
                      .contains(event));
      relay.awaitUp();
      said = relay.health().toString();
      assertThat(
              superuser(
                  """
                  SELECT bool_and(s.ssl)::text || ' ' || bool_or(a.backend_type = 'walsender')
                  FROM pg_stat_ssl s JOIN pg_stat_activity a USING (pid) WHERE a.usename = 'onceward_relay'
                  """))
          .isEqualTo("true true");
    }
  }

  @Test
  void a_postgresql_that_another_authority_vouches_for_gets_no_password() throws Exception {
    awaitRefusal(settings(url("localhost", others)), "postgresql: no TLS connection to PostgreSQL");
  }

  @Test
  void a_postgresql_of_another_name_gets_no_password() throws Exception {
    awaitRefusal(settings(url("127.0.0.1", certificates)), "The hostname 127.0.0.1 could not be");
  }

  @Test
  void a_kafka_that_another_authority_vouches_for_gets_no_password() throws Exception {
    Map<String, String> settings = settings(url("localhost", certificates));
    putKafka(settings, kafka.clientSettings(others));
    awaitRefusal(settings, "no TLS connection to Kafka can be made");
  }

  @Test
  void a_kafka_that_refuses_the_password_is_named() throws Exception {
    Map<String, String> settings = settings(url("localhost", certificates));
    settings.put("onceward.kafka.sasl.jaas.config", SecureKafka.login("wrong-marker"));
    awaitRefusal(settings, "Kafka refuses the relay's login");
  }

  /** What docs/security.md recommends for {@code pg_hba.conf}; the relay above runs with it. */
  @Test
  void the_relays_password_opens_neither_a_plain_connection_nor_a_copy_of_the_whole_server() {
    Properties plain = login();
    plain.setProperty("sslmode", "disable");
    assertRefusedByHostRules(plain);

    Properties physical = login();
    physical.setProperty("replication", "true");
    physical.setProperty("preferQueryMode", "simple");
    physical.setProperty("assumeMinServerVersion", "14");
    assertRefusedByHostRules(physical);
  }

  private static void assertRefusedByHostRules(Properties login) {
    assertThatThrownBy(() -> DriverManager.getConnection(database.url(), login).close())
        .isInstanceOfSatisfying(
            SQLException.class,
            refused -> assertThat(refused.getSQLState()).as("%s", refused).isEqualTo("28000"));
  }

  private static Properties login() {
    Properties login = new Properties();
    login.setProperty("user", "onceward_relay");
    login.setProperty("password", MigratedDatabase.PASSWORD);
    return login;
  }

  private void awaitRefusal(Map<String, String> settings, String reason) {
    try (TestRelay relay = TestRelay.start(settings)) {
      relay.awaitDown(reason);
      said = relay.health().toString();
    }
  }

  private static Map<String, String> settings(String url) throws Exception {
    Map<String, String> settings =
        TestRelay.settings(database, kafka.broker().bootstrapServers(), "secure.");
    settings.put("onceward.database.url", url);
    putKafka(settings, kafka.clientSettings(certificates));
    return settings;
  }

  private static void putKafka(Map<String, String> settings, Map<String, String> client) {
    client.forEach((name, value) -> settings.put("onceward.kafka." + name, value));
  }

  private static String url(String host, TestCertificates trusted) throws Exception {
    return postgres.url(host, database.name(), trusted);
  }

  private static String superuser(String sql) throws SQLException {
    try (Connection superuser = postgres.server().connect("postgres");
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
