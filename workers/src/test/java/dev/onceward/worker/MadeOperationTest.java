package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Events that were written without an operation. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class MadeOperationTest {

  private WorkerWorld world;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new WorkerWorld(server, topics, 2);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void an_event_without_an_operation_gets_one_if_its_handler_says_so_and_has_one_effect()
      throws Exception {
    ScriptedHandler first = ScriptedHandler.forAnyEvent();
    ScriptedHandler second = ScriptedHandler.forAnyEvent();
    NewTask[] events =
        IntStream.range(0, 50)
            .mapToObj(i -> WorkerWorld.task("thing-" + i))
            .toArray(NewTask[]::new);
    world
        .app()
        .runInWorkspace(
            world.tenant().workspaceId(),
            connection -> {
              for (NewTask task : events) {
                OutboxWriter.append(connection, task.event());
              }
            });
    // Two groups: each of the two gets each of the events.
    world.start(first);
    world.start(second, "onceward.worker.group-id", world.topic() + "-others");
    world.sendAll(events);
    world.sendAll(events);
    await()
        .atMost(WorkerWorld.LIMIT)
        .untilAsserted(
            () ->
                assertThat(operations())
                    .hasSize(events.length)
                    .allMatch(made -> made.state() == OperationState.SUCCEEDED));
    await().atMost(WorkerWorld.LIMIT).until(() -> world.committed(0) + world.committed(1) == 100);

    for (NewTask task : events) {
      NewEvent event = task.event();
      assertThat(first.calls(event.id()) + second.calls(event.id())).isEqualTo(1);
    }
    assertThat(operations())
        .allSatisfy(
            made -> {
              assertThat(made.kind()).isEqualTo(ScriptedHandler.KIND);
              assertThat(made.attempt()).isEqualTo(1);
              assertThat(made.subjectId()).startsWith("thing-");
            });
  }

  private List<Operation> operations() throws Exception {
    return world
        .app()
        .inWorkspace(
            world.tenant().workspaceId(),
            connection -> OperationStore.list(connection, null, null, null, 1_000));
  }
}
