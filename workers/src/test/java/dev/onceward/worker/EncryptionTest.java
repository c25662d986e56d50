package dev.onceward.worker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationState;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.embedded.junit.SecureKafka;
import dev.onceward.embedded.junit.TestCertificates;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.route.TopicNames;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A Kafka that speaks TLS alone and wants a login, with certificates of the test's own. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
@LongFault
class EncryptionTest {

  @TempDir static Path directory;

  private static TestCertificates certificates;
  private static SecureKafka kafka;
  private static TestTopics topics;

  private final ScriptedHandler handler = ScriptedHandler.quick();
  private WorkerWorld world;

  @BeforeAll
  static void start() throws Exception {
    certificates = TestCertificates.in(Files.createDirectory(directory.resolve("ours")));
    kafka = SecureKafka.start(certificates);
    topics = new TestTopics(kafka.broker());
  }

  @AfterAll
  static void stop() {
    if (topics != null) {
      topics.close();
    }
    if (kafka != null) {
      kafka.close();
    }
  }

  @BeforeEach
  void open(PostgresServer server) throws Exception {
    world = new WorkerWorld(server, topics, 1);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void events_are_read_and_set_aside_and_a_wrong_password_or_authority_is_named() throws Exception {
    NewTask task = WorkerWorld.task("a");
    world.write(task);
    world.send(0, "k".getBytes(UTF_8), "no envelope".getBytes(UTF_8), List.of());
    world.send(task);

    assertRefused("SaslAuthenticationException", settingsWithPassword("wrong-marker"));
    TestCertificates others =
        TestCertificates.in(Files.createDirectory(directory.resolve("others")));
    assertRefused("SslAuthenticationException", pairs(kafka.clientSettings(others)));

    world.start(handler, pairs(kafka.clientSettings(certificates)));
    world.awaitState(OperationState.SUCCEEDED, task);
    await().atMost(WorkerWorld.LIMIT).until(() -> world.committed(0) == 2);
    assertThat(topics.admin().listTopics().names().get())
        .contains(TopicNames.deadLetterOf(world.topic()));
  }

  private void assertRefused(String reason, String[] settings) throws Exception {
    WorkerWorld.RunningWorker refused = world.start(handler, settings);
    await()
        .atMost(WorkerWorld.LIMIT)
        .untilAsserted(
            () ->
                assertThat(refused.health().report().reasons()).anyMatch(r -> r.contains(reason)));
    assertThat(refused.health().report().toString() + world.get(refused, "/health/ready"))
        .doesNotContain("wrong-marker")
        .doesNotContain(SecureKafka.PASSWORD)
        .doesNotContain(TestCertificates.PASSWORD);
    assertThat(handler.calls()).isEmpty();
    world.stop(refused);
  }

  private static String[] settingsWithPassword(String password) throws Exception {
    Map<String, String> settings = kafka.clientSettings(certificates);
    settings.put("sasl.jaas.config", SecureKafka.login(password));
    return pairs(settings);
  }

  private static String[] pairs(Map<String, String> client) {
    List<String> pairs = new ArrayList<>();
    client.forEach(
        (name, value) -> {
          pairs.add("onceward.kafka." + name);
          pairs.add(value);
        });
    return pairs.toArray(String[]::new);
  }
}
