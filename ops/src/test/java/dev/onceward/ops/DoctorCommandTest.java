package dev.onceward.ops;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.FreePorts;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
final class DoctorCommandTest {

  @TempDir private Path directory;
  private MigratedDatabase database;
  private String topicSettings;

  @BeforeEach
  void prepare(PostgresServer server, TestTopics topics) throws Exception {
    database = MigratedDatabase.create(server);
    topicSettings =
        "onceward.kafka.bootstrap.servers=%s\nonceward.topic-prefix=%s\n"
            .formatted(topics.bootstrapServers(), topics.prefix());
  }

  @AfterEach
  void drop() throws Exception {
    database.close();
  }

  @Test
  void with_everything_there_nothing_fails() throws Exception {
    String config = config(database.url(), topicSettings);
    CommandRun run = CommandRun.of("doctor", "--config", config);

    assertThat(run.out()).contains("ok       wal-level           logical\n").contains(" 0 failed");
    assertThat(run.exitCode()).isZero();
    JsonNode report = CommandRun.of("doctor", "--config", config, "--output", "json").json();
    assertThat(report.path("failed").asInt()).isZero();
    assertThat(ids(report, "ok")).contains("kafka", "wal-level", "row-security", "relay-policies");
    assertThat(ids(report, "warning")).contains("slot");
  }

  @Test
  void with_the_database_away_its_checks_fail_and_kafkas_run() throws Exception {
    String away = "jdbc:postgresql://127.0.0.1:" + FreePorts.next() + "/onceward";
    CommandRun run =
        CommandRun.of("doctor", "--output", "json", "--config", config(away, topicSettings));

    assertThat(run.exitCode()).isEqualTo(1);
    assertThat(ids(run.json(), "ok")).contains("kafka", "topic-message-size");
    assertThat(ids(run.json(), "failed")).contains("wal-level", "slot", "roles", "topics");
    assertThat(run.out())
        .contains("the database does not answer")
        .contains("onceward.database.url");
  }

  @Test
  void with_kafka_away_or_not_named_its_checks_fail_and_the_databases_run() throws Exception {
    String away = "onceward.kafka.bootstrap.servers=127.0.0.1:" + FreePorts.next() + "\n";
    for (String kafka : List.of(away, "")) {
      CommandRun run =
          CommandRun.of("doctor", "--output", "json", "--config", config(database.url(), kafka));
      assertThat(run.exitCode()).isEqualTo(1);
      assertThat(ids(run.json(), "ok")).contains("wal-level", "row-security");
      assertThat(ids(run.json(), "failed"))
          .containsExactly(
              "kafka",
              "topics",
              "topic-replication",
              "topic-min-insync",
              "topic-message-size",
              "topic-retention");
      assertThat(run.out()).contains("onceward.kafka.bootstrap.servers");
    }
  }

  private static List<String> ids(JsonNode report, String state) {
    List<String> ids = new ArrayList<>();
    for (JsonNode check : report.path("checks")) {
      if (check.path("state").asText().equals(state)) {
        ids.add(check.path("id").asText());
      }
    }
    return ids;
  }

  private String config(String url, String more) throws Exception {
    String file = OpsConfig.write(directory, url, "onceward_ops_read", MigratedDatabase.PASSWORD);
    Files.writeString(Path.of(file), more, StandardOpenOption.APPEND);
    return file;
  }
}
