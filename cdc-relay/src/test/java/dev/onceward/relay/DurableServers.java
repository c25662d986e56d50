package dev.onceward.relay;

import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** Servers of a test class's own, durable, for tests that kill them or the relay. */
abstract class DurableServers {
  static PostgresServer postgres;
  static KafkaBroker kafka;

  @TempDir Path directory;
  MigratedDatabase database;
  String prefix;

  @BeforeAll
  static void startServers() {
    postgres = PostgresServer.start(PostgresOptions.temporary());
    kafka = KafkaBroker.start(KafkaOptions.temporary());
  }

  @AfterAll
  static void stopServers() {
    postgres.close();
    kafka.close();
  }

  @BeforeEach
  void prepare() throws SQLException {
    postgres.start();
    kafka.start();
    database = MigratedDatabase.create(postgres);
    prefix = "t" + UUID.randomUUID().toString().substring(0, 8) + ".";
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  Map<String, String> settings() {
    return TestRelay.settings(database, kafka.bootstrapServers(), prefix);
  }

  /** Waits until that many more records are in Kafka. */
  void awaitProgress(int records) {
    long before = TestRecords.count(kafka.bootstrapServers(), prefix);
    await()
        .atMost(Duration.ofSeconds(90))
        .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) >= before + records);
  }

  long number(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
