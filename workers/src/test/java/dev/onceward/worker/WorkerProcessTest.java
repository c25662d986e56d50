package dev.onceward.worker;

import static dev.onceward.worker.PlatformDouble.Answer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.embedded.ChildCommand;
import dev.onceward.embedded.ChildProcess;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The real process: started by its main class, killed, stopped, refused. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(240)
class WorkerProcessTest {

  private static final Duration LIMIT = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private PlatformDouble platform;
  private WorkerWorld world;
  private UUID storeId;
  private final List<ChildProcess> processes = new ArrayList<>();

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    platform = new PlatformDouble();
    world = new WorkerWorld(server, topics, 1);
    topics.create("store", 1);
    StoreAuthorizationStore stores =
        new StoreAuthorizationStore(new CredentialCipher(Map.of("k1", new byte[32])));
    storeId =
        world
            .app()
            .inWorkspace(
                world.tenant().workspaceId(),
                connection ->
                    stores.insert(connection, "shopline", "shop-42", "My shop", "{\"a\":\"b\"}"))
            .orElseThrow()
            .id();
  }

  @AfterEach
  void close() throws Exception {
    processes.forEach(ChildProcess::close);
    world.close();
    platform.close();
  }

  @Test
  @Tag("S36")
  void the_task_of_a_killed_process_is_finished_by_the_next_with_the_same_key() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    CountDownLatch never = new CountDownLatch(1);
    AtomicInteger number = new AtomicInteger();
    platform.answer(
        call -> {
          if (number.getAndIncrement() == 0) {
            called.countDown();
            awaitUninterrupted(never);
          }
          return Answer.of(200, "{\"valid\":true}");
        });
    NewTask task = submit();
    ChildProcess first = start();
    assertThat(called.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
    first.kill();
    start();
    world.awaitState(OperationState.SUCCEEDED, task);
    never.countDown();

    assertThat(world.find(task).attempt()).isEqualTo(2);
    assertThat(platform.calls())
        .hasSize(2)
        .extracting(PlatformDouble.Call::idempotencyKey)
        .containsOnly(task.event().id().toString());
  }

  @Test
  @Tag("S40")
  void a_process_that_is_asked_to_stop_ends_in_order() throws Exception {
    NewTask task = submit();
    ChildProcess process = start();
    world.awaitState(OperationState.SUCCEEDED, task);

    assertThat(process.stop(LIMIT)).isTrue();
    assertThat(process.exitCode()).hasValue(0);
    assertThat(String.join("\n", process.outputTail(200)))
        .contains("\"event_id\":\"" + task.event().id() + "\"")
        .contains("\"operation_id\":\"" + task.operationId() + "\"")
        .contains("\"request_id\":\"request-1\"")
        .contains("\"correlation_id\":\"correlation-1\"");
  }

  @Test
  void an_endpoint_that_was_configured_gets_the_event_and_its_answer_ends_the_task()
      throws Exception {
    String endpoint = "onceward.worker.http-handler.things.";
    NewTask task = WorkerWorld.task("a");
    world.writeAndSend(task);
    start(
        "onceward.worker.http-handlers",
        "things",
        endpoint + "event-type",
        ScriptedHandler.EVENT_TYPE,
        endpoint + "aggregate-type",
        ScriptedHandler.AGGREGATE_TYPE,
        endpoint + "operation-kind",
        ScriptedHandler.KIND,
        endpoint + "url",
        platform.uri().resolve("/things").toString());
    world.awaitState(OperationState.SUCCEEDED, task);

    assertThat(platform.calls()).hasSize(1);
    PlatformDouble.Call call = platform.calls().get(0);
    assertThat(call.path()).isEqualTo("/things");
    assertThat(call.idempotencyKey()).isEqualTo(task.event().id().toString());
    assertThat(call.body()).contains("\"event_type\":\"thing.wanted\"");
    assertThat(world.find(task).result()).isEqualTo("{\"http_status\":200}");
  }

  @Test
  void bad_input_ends_the_start_with_one_message_and_its_exit_code() {
    refused(3, "onceward.worker.lease", "onceward.worker.lease", "forever");
    refused(3, "fetch.min.bytes", "onceward.kafka.fetch.min.bytes", "many");
    refused(4, "refuses the login of onceward_app", "onceward.database.password", "wrong");
    refused(4, "refuses the login of nobody", "onceward.database.user", "nobody");
    refused(
        4,
        "is a superuser",
        "onceward.database.user",
        world.database().server().superuser(),
        "onceward.database.password",
        world.database().server().superuserPassword());
    refused(
        4,
        "does not exist",
        "onceward.database.url",
        world.database().server().jdbcUrl("no_such_database"));
  }

  private void refused(int exitCode, String says, String... pairs) {
    ChildProcess process = start(pairs);
    assertThat(process.awaitExit(LIMIT)).isTrue();
    assertThat(process.exitCode()).as(says).hasValue(exitCode);
    String output = String.join("\n", process.outputTail(200));
    assertThat(output).contains("onceward-workers: ").contains(says);
    assertThat(output).doesNotContain("\tat ");
  }

  private ChildProcess start(String... pairs) {
    Map<String, String> settings =
        world.settings(
            "onceward.worker.platform-url",
            platform.uri().toString(),
            "onceward.worker.lease",
            "2s",
            "onceward.worker.lease-renewal",
            "500ms");
    for (int i = 0; i < pairs.length; i += 2) {
      settings.put(pairs[i], pairs[i + 1]);
    }
    List<String> jvm = new ArrayList<>(List.of("-Xmx192m", "-XX:TieredStopAtLevel=1"));
    settings.forEach((key, value) -> jvm.add("-D" + key + "=" + value));
    ChildProcess process =
        ChildCommand.java("worker", WorkerMain.class.getName(), jvm, List.of())
            .withOutput(directory.resolve("worker-" + processes.size() + ".log"))
            .start();
    processes.add(process);
    return process;
  }

  private NewTask submit() throws Exception {
    NewTask task =
        NewTask.of(
            "verify_store_credentials",
            NewEvent.of(
                    "store.credentials_submitted",
                    "store",
                    storeId.toString(),
                    "{\"store_id\":\"%s\",\"credential_version\":1}".formatted(storeId))
                .withTrace("request-1", "correlation-1", null));
    world.writeAndSend(task);
    return task;
  }

  private static void awaitUninterrupted(CountDownLatch latch) {
    await().forever().until(() -> latch.getCount() == 0);
  }
}
