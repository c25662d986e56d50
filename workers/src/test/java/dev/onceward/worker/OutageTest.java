package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationState;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.process.Health.Status;
import dev.onceward.process.HealthReport;
import dev.onceward.worker.WorkerWorld.RunningWorker;
import dev.onceward.worker.handle.HandlerResult;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Takes a durable server of its own and the shared broker away, and brings them back. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(180)
class OutageTest {

  private static final Duration HONEST_WITHIN = Duration.ofSeconds(10);

  private static PostgresServer postgres;
  private WorkerWorld world;
  private KafkaBroker kafka;
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final ScriptedHandler handler =
      new ScriptedHandler(
          attempt -> {
            if (attempt.event().envelope().aggregateId().equals("slow")) {
              running.countDown();
              mayEnd.await();
            }
            return HandlerResult.of(null);
          });

  @BeforeAll
  static void startDatabase() {
    postgres = PostgresServer.start(PostgresOptions.temporary());
  }

  @AfterAll
  static void stopDatabase() {
    postgres.close();
  }

  @BeforeEach
  void open(KafkaBroker broker, TestTopics topics) throws Exception {
    kafka = broker;
    world = new WorkerWorld(postgres, topics, 2);
  }

  @AfterEach
  void close() throws Exception {
    mayEnd.countDown();
    postgres.start();
    kafka.resume();
    kafka.start();
    world.close();
  }

  @Test
  void a_database_that_dies_costs_no_task_and_no_attempt_that_had_its_effect() throws Exception {
    RunningWorker worker = world.start(handler);
    NewTask slow = task("slow");
    world.writeAndSend(slow);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    NewTask[] more = tasks(30);
    world.write(more);
    postgres.kill();
    for (NewTask task : more) {
      world.send(task);
    }
    mayEnd.countDown(); // the effect is there, and cannot be recorded now
    awaitDown(worker, "database: ");
    assertThat(worker.worker().healthPort()).isPositive();
    assertThat(ready(worker)).isEqualTo(503);

    postgres.start();
    awaitUp(worker);
    world.awaitState(OperationState.SUCCEEDED, slow);
    world.awaitState(OperationState.SUCCEEDED, more);
    assertThat(handler.calls()).hasSize(31).doesNotHaveDuplicates();
    assertThat(world.find(slow).attempt()).isEqualTo(1);
  }

  @Test
  void a_worker_that_starts_without_its_database_waits_for_it() throws Exception {
    NewTask task = task("a");
    world.writeAndSend(task);
    postgres.stop(ShutdownMode.FAST);
    Thread starting =
        new Thread(
            () -> {
              try {
                RunningWorker unused = world.start(handler);
                assertThat(unused).isNotNull();
              } catch (InterruptedException impossible) {
                Thread.currentThread().interrupt();
              }
            });
    starting.start();
    await().atMost(HONEST_WITHIN).until(() -> world.workers().size() == 1);
    awaitDown(world.workers().get(0), "database: ");

    postgres.start();
    world.awaitState(OperationState.SUCCEEDED, task);
    awaitUp(world.workers().get(0));
    starting.join();
  }

  @Test
  void a_broker_that_stands_still_is_reported_and_the_worker_goes_on_by_itself() throws Exception {
    RunningWorker worker = world.start(handler);
    NewTask before = task("a");
    world.writeAndSend(before);
    world.awaitState(OperationState.SUCCEEDED, before);
    kafka.suspend();
    awaitDown(worker, "kafka: ");

    kafka.resume();
    awaitUp(worker);
    NewTask after = task("a");
    world.writeAndSend(after);
    world.awaitState(OperationState.SUCCEEDED, after);
  }

  @Test
  void a_broker_that_is_killed_loses_no_task_and_repeats_no_effect() throws Exception {
    RunningWorker worker = world.start(handler);
    NewTask slow = task("slow");
    NewTask[] before = tasks(30);
    world.writeAndSend(slow);
    world.writeAndSend(before);
    assertThat(running.await(30, TimeUnit.SECONDS)).isTrue();
    world.awaitState(OperationState.SUCCEEDED, before);
    kafka.kill();
    mayEnd.countDown();
    world.awaitState(OperationState.SUCCEEDED, slow);
    awaitDown(worker, "kafka: ");

    kafka.start();
    awaitUp(worker);
    NewTask[] after = tasks(30);
    world.writeAndSend(after);
    world.awaitState(OperationState.SUCCEEDED, after);
    assertThat(handler.calls()).hasSize(61).doesNotHaveDuplicates();
  }

  private static NewTask[] tasks(int count) {
    return IntStream.range(0, count).mapToObj(i -> task("thing-" + i)).toArray(NewTask[]::new);
  }

  private static void awaitDown(RunningWorker worker, String reason) {
    await()
        .atMost(HONEST_WITHIN)
        .untilAsserted(
            () -> {
              HealthReport report = worker.health().report();
              assertThat(report.status()).isEqualTo(Status.DOWN);
              assertThat(report.reasons()).anyMatch(given -> given.startsWith(reason));
            });
  }

  private static void awaitUp(RunningWorker worker) {
    await()
        .atMost(WorkerWorld.LIMIT)
        .untilAsserted(() -> assertThat(worker.health().report().reasons()).isEmpty());
  }

  private static int ready(RunningWorker worker) throws Exception {
    return HttpClient.newHttpClient()
        .send(
            HttpRequest.newBuilder(
                    URI.create(
                        "http://127.0.0.1:%d/health/ready".formatted(worker.worker().healthPort())))
                .build(),
            HttpResponse.BodyHandlers.discarding())
        .statusCode();
  }
}
