package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static dev.onceward.worker.WorkerWorld.withMaxAttempts;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.ClaimResult;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationClaims;
import dev.onceward.db.operation.OperationState;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class TaskLifeTest {

  private WorkerWorld world;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new WorkerWorld(server, topics, 4);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  @Tag("S35")
  void an_event_that_comes_again_and_again_has_one_effect() throws Exception {
    ScriptedHandler handler = ScriptedHandler.quick();
    NewTask task = task("a");
    world.writeAndSend(task);
    for (int i = 0; i < 5; i++) {
      world.send(task);
    }
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, task);
    NewTask last = task("a");
    world.writeAndSend(last);
    world.awaitState(OperationState.SUCCEEDED, last);

    assertThat(handler.calls(task.event().id())).isEqualTo(1);
    assertThat(world.find(task).attempt()).isEqualTo(1);
  }

  @Test
  @Tag("S39")
  void two_workers_that_get_every_event_at_once_have_one_effect_each() throws Exception {
    ScriptedHandler first = ScriptedHandler.quick();
    ScriptedHandler second = ScriptedHandler.quick();
    // Two groups: each of the two gets each of the events.
    world.start(first);
    world.start(second, "onceward.worker.group-id", world.topic() + "-others");
    NewTask[] tasks = tasks(200);
    world.writeAndSend(tasks);
    world.awaitState(OperationState.SUCCEEDED, tasks);
    await().until(() -> IntStream.range(0, 4).mapToLong(world::committed).sum() == 200);

    for (NewTask task : tasks) {
      UUID eventId = task.event().id();
      assertThat(first.calls(eventId) + second.calls(eventId)).isEqualTo(1);
    }
    assertThat(world.findAll(tasks)).extracting(Operation::attempt).containsOnly(1);
  }

  @Test
  void events_of_one_aggregate_are_attempted_in_their_order() throws Exception {
    ScriptedHandler handler = ScriptedHandler.quick();
    List<NewTask> tasks = new ArrayList<>();
    for (int round = 0; round < 20; round++) {
      for (int aggregate = 0; aggregate < 10; aggregate++) {
        tasks.add(task("aggregate-" + aggregate));
      }
    }
    world.writeAndSend(tasks.toArray(NewTask[]::new));
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, tasks.toArray(NewTask[]::new));

    assertThat(handler.firstAttempts()).hasSize(10);
    handler
        .firstAttempts()
        .forEach(
            (aggregate, attempted) ->
                assertThat(attempted)
                    .as(aggregate)
                    .isEqualTo(
                        tasks.stream()
                            .filter(task -> task.event().aggregateId().equals(aggregate))
                            .map(task -> task.event().id())
                            .toList()));
  }

  @Test
  void a_permanent_error_fails_the_operation_at_its_first_attempt() throws Exception {
    ScriptedHandler handler =
        new ScriptedHandler(
            attempt -> {
              throw new PermanentTaskException("PLATFORM_REJECTED", "The platform said no.");
            });
    NewTask task = task("a");
    world.writeAndSend(task);
    world.start(handler);
    world.awaitState(OperationState.FAILED, task);

    Operation failed = world.find(task);
    assertThat(failed.attempt()).isEqualTo(1);
    assertThat(failed.lastErrorCode()).isEqualTo("PLATFORM_REJECTED");
    assertThat(failed.lastErrorSummary()).isEqualTo("The platform said no.");
    assertThat(handler.calls()).hasSize(1);
  }

  @Test
  void retriable_errors_are_tried_again_until_the_attempts_are_used_up() throws Exception {
    ScriptedHandler handler =
        new ScriptedHandler(
            attempt -> {
              throw new RetriableTaskException("PLATFORM_UNAVAILABLE", "Not now.");
            });
    NewTask task = withMaxAttempts(task("a"), 3);
    NewTask behind = withMaxAttempts(task("a"), 1);
    world.writeAndSend(task, behind);
    world.start(handler);
    world.awaitState(OperationState.DEAD, task, behind);

    assertThat(handler.calls(task.event().id())).isEqualTo(3);
    assertThat(world.find(task).attempt()).isEqualTo(3);
    assertThat(world.find(task).lastErrorCode()).isEqualTo("PLATFORM_UNAVAILABLE");
    assertThat(handler.calls(behind.event().id())).isEqualTo(1);
  }

  @Test
  void whatever_a_handler_does_wrong_is_an_attempt_that_failed_and_hides_its_message()
      throws Exception {
    String secret = "the-payload-of-somebody";
    ScriptedHandler handler =
        new ScriptedHandler(
            attempt ->
                switch (attempt.event().envelope().aggregateId()) {
                  case "error" -> throw new StackOverflowError(secret);
                  case "unchecked" -> throw new IllegalStateException(secret);
                  case "not-json" -> HandlerResult.of("{" + secret);
                  case "secret" -> HandlerResult.of("{\"password\":\"hunter2hunter2\"}");
                  case "sql" ->
                      connection -> {
                        connection.createStatement().execute("SELECT nothing FROM nowhere");
                        return null;
                      };
                  default -> HandlerResult.of(null);
                });
    NewTask[] bad =
        IntStream.range(0, 5)
            .mapToObj(i -> List.of("error", "unchecked", "not-json", "secret", "sql").get(i))
            .map(aggregate -> withMaxAttempts(task(aggregate), 2))
            .toArray(NewTask[]::new);
    NewTask good = task("good");
    world.writeAndSend(bad);
    world.writeAndSend(good);
    world.start(handler);
    world.awaitState(OperationState.DEAD, bad);
    world.awaitState(OperationState.SUCCEEDED, good);

    for (NewTask task : bad) {
      Operation dead = world.find(task);
      assertThat(dead.attempt()).isEqualTo(2);
      assertThat(dead.lastErrorCode()).isIn("HANDLER_ERROR", "RESULT_REFUSED");
      assertThat(dead.lastErrorSummary()).doesNotContain(secret).doesNotContain("hunter2");
    }
  }

  @Test
  void a_handler_that_never_returns_ends_by_its_time_out_and_holds_nobody_up() throws Exception {
    CountDownLatch never = new CountDownLatch(1);
    ScriptedHandler handler =
        new ScriptedHandler(
            attempt -> {
              if (attempt.event().envelope().aggregateId().equals("stuck")) {
                awaitWhateverHappens(never);
              }
              return HandlerResult.of(null);
            });
    NewTask stuck = withMaxAttempts(task("stuck"), 2);
    NewTask behind = task("stuck-not");
    world.writeAndSend(stuck, behind);
    world.start(
        handler,
        "onceward.worker.concurrency",
        "1",
        "onceward.worker.platform-timeout",
        "200ms",
        "onceward.worker.handler-timeout",
        "500ms");
    world.awaitState(OperationState.DEAD, stuck);
    world.awaitState(OperationState.SUCCEEDED, behind);

    assertThat(world.find(stuck).lastErrorCode()).isEqualTo("HANDLER_TIMEOUT");
    assertThat(handler.calls(stuck.event().id())).isEqualTo(2);
    never.countDown();
  }

  private static void awaitWhateverHappens(CountDownLatch latch) {
    while (latch.getCount() > 0) {
      try {
        latch.await();
      } catch (InterruptedException ignored) {
        Thread.interrupted();
      }
    }
  }

  @Test
  @Tag("S36")
  void the_task_of_a_worker_that_vanished_is_taken_up_when_its_lease_has_expired()
      throws Exception {
    ScriptedHandler handler = ScriptedHandler.quick();
    NewTask task = task("a");
    world.write(task);
    claimAs("vanished", task, Duration.ofSeconds(1));
    world.start(handler);
    world.send(task); // finds it running elsewhere and is acknowledged
    world.awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.find(task).attempt()).isEqualTo(2);
    assertThat(handler.calls()).containsExactly(task.event().id());
  }

  @Test
  void a_task_whose_last_worker_vanished_is_dead_and_no_other_is_held_up() throws Exception {
    ScriptedHandler handler = ScriptedHandler.quick();
    NewTask killer = withMaxAttempts(task("a"), 2);
    NewTask[] behind = tasks(50);
    world.write(killer);
    claimAs("killed-once", killer, Duration.ofMillis(1));
    claimAs("killed-twice", killer, Duration.ofMillis(1));
    world.start(handler);
    world.writeAndSend(behind);
    world.send(killer);
    world.awaitState(OperationState.DEAD, killer);
    world.awaitState(OperationState.SUCCEEDED, behind);

    assertThat(world.find(killer).lastErrorCode()).isEqualTo("LEASE_EXPIRED");
    assertThat(handler.calls(killer.event().id())).isZero();
  }

  @Test
  void an_event_that_is_not_its_operations_newest_is_not_worked_on() throws Exception {
    ScriptedHandler handler = ScriptedHandler.quick();
    NewTask task = task("a");
    NewTask newer = task("a");
    world.write(task, newer);
    try (var superuser = world.database().superuser();
        var statement = superuser.createStatement()) {
      // As a retry does: the operation gets a newer event.
      statement.execute("DELETE FROM onceward.operations WHERE id = '" + newer.operationId() + "'");
      statement.execute(
          "UPDATE onceward.operations SET event_id = '%s' WHERE id = '%s'"
              .formatted(newer.event().id(), task.operationId()));
      statement.execute(
          "INSERT INTO onceward.operation_events (event_id, operation_id, workspace_id) VALUES ('%s', '%s', '%s')"
              .formatted(newer.event().id(), task.operationId(), world.tenant().workspaceId()));
    }
    world.send(task);
    world.start(handler);
    await().until(() -> IntStream.range(0, 4).mapToLong(world::committed).sum() == 1);
    assertThat(handler.calls()).isEmpty();

    world.send(newer);
    world.awaitState(OperationState.SUCCEEDED, task);
    assertThat(handler.calls()).containsExactly(newer.event().id());
  }

  @Test
  void a_topic_that_is_made_anew_is_read_from_its_beginning(TestTopics topics) throws Exception {
    ScriptedHandler handler = ScriptedHandler.quick();
    world.start(handler);
    NewTask[] before = tasks(50);
    world.writeAndSend(before);
    world.awaitState(OperationState.SUCCEEDED, before);
    topics.admin().deleteTopics(List.of(world.topic())).all().get();
    await().until(() -> !topics.admin().listTopics().names().get().contains(world.topic()));
    topics.create(ScriptedHandler.AGGREGATE_TYPE, 4);
    NewTask[] after = tasks(10);
    world.writeAndSend(after);

    world.awaitState(OperationState.SUCCEEDED, after);
    assertThat(handler.calls()).hasSize(60).doesNotHaveDuplicates();
  }

  @Test
  void metrics_tell_what_became_of_the_tasks() throws Exception {
    ScriptedHandler handler =
        new ScriptedHandler(
            attempt ->
                switch (attempt.event().envelope().aggregateId()) {
                  case "permanent" -> throw new PermanentTaskException("NO", "No.");
                  case "passing" -> throw new RetriableTaskException("LATER", "Later.");
                  default -> HandlerResult.of(null);
                });
    NewTask good = task("good");
    NewTask permanent = task("permanent");
    NewTask passing = withMaxAttempts(task("passing"), 3);
    world.writeAndSend(good, permanent, passing);
    WorkerWorld.RunningWorker worker = world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, good);
    world.awaitState(OperationState.FAILED, permanent);
    world.awaitState(OperationState.DEAD, passing);

    String metrics = world.get(worker, "/metrics");
    assertThat(metric(metrics, "onceward_worker_claimed_total")).isEqualTo("5.0");
    assertThat(metric(metrics, "onceward_worker_succeeded_total")).isEqualTo("1.0");
    assertThat(metric(metrics, "onceward_worker_failed_total")).isEqualTo("1.0");
    assertThat(metric(metrics, "onceward_worker_retried_total")).isEqualTo("2.0");
    assertThat(metric(metrics, "onceward_worker_dead_total")).isEqualTo("1.0");
    assertThat(metric(metrics, "onceward_worker_in_flight")).isEqualTo("0.0");
    assertThat(metric(metrics, "onceward_worker_lag_records")).isNotNull();
    assertThat(metrics)
        .contains("onceward_worker_task_duration_seconds_bucket{")
        .contains("event_type=\"thing.wanted\"")
        .contains("end=\"retried\"");
  }

  private static @Nullable String metric(String metrics, String name) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(name + "{"))
        .map(line -> line.substring(line.lastIndexOf(' ') + 1))
        .findFirst()
        .orElse(null);
  }

  private void claimAs(String owner, NewTask task, Duration lease) throws Exception {
    await()
        .until(
            () ->
                world
                        .app()
                        .inWorkspace(
                            world.tenant().workspaceId(),
                            connection ->
                                OperationClaims.claim(connection, task.event().id(), owner, lease))
                    instanceof ClaimResult.Claimed);
  }

  private static NewTask[] tasks(int count) {
    return IntStream.range(0, count).mapToObj(i -> task("thing-" + i)).toArray(NewTask[]::new);
  }
}
