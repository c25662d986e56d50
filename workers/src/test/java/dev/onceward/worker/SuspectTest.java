package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.ClaimResult;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.OperationClaims;
import dev.onceward.db.operation.OperationState;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.worker.handle.HandlerResult;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** One task may kill its worker each time, and those beside it must not die with it. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class SuspectTest {

  private WorkerWorld world;
  private final CountDownLatch mayEnd = new CountDownLatch(1);
  private final AtomicInteger running = new AtomicInteger();
  private final AtomicInteger mostRunning = new AtomicInteger();
  private final ScriptedHandler handler =
      new ScriptedHandler(
          attempt -> {
            if (attempt.event().envelope().aggregateId().startsWith("suspect")) {
              mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
              mayEnd.await();
              running.decrementAndGet();
            }
            return HandlerResult.of(null);
          });

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new WorkerWorld(server, topics, 1);
  }

  @AfterEach
  void close() throws Exception {
    mayEnd.countDown();
    world.close();
  }

  @Test
  @Tag("S36")
  void tasks_that_may_kill_their_worker_are_taken_up_one_at_a_time() throws Exception {
    NewTask[] suspects = {task("suspect-1"), task("suspect-2"), task("suspect-3")};
    NewTask unlucky = task("unlucky");
    world.write(suspects);
    world.write(unlucky);
    for (NewTask suspect : suspects) {
      for (int attempt = 1; attempt <= NewTask.DEFAULT_MAX_ATTEMPTS / 2; attempt++) {
        dieWith(suspect);
      }
    }
    dieWith(unlucky);
    world.start(handler);

    world.awaitState(OperationState.SUCCEEDED, unlucky);
    await()
        .atMost(WorkerWorld.LIMIT)
        .during(Duration.ofSeconds(1)) // ten looks of the loop
        .until(() -> running.get() == 1);
    mayEnd.countDown();
    world.awaitState(OperationState.SUCCEEDED, suspects);
    assertThat(mostRunning.get()).isEqualTo(1);
  }

  /** Claims the task as a worker does that dies at once. */
  private void dieWith(NewTask task) {
    await()
        .until(
            () ->
                world
                        .app()
                        .inWorkspace(
                            world.tenant().workspaceId(),
                            connection ->
                                OperationClaims.claim(
                                    connection, task.event().id(), "dies", Duration.ofMillis(1)))
                    instanceof ClaimResult.Claimed);
  }
}
