package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.ai.AiTask;
import dev.onceward.db.ai.AiTaskStore;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationControl;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.worker.PlatformDouble.Answer;
import dev.onceward.worker.PlatformDouble.Call;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class RunAiTaskTest {

  private static final String INPUT = "{\"prompt\":\"茶\",\"temperature\":0.10}";
  private static final String OUTPUT = "{\"text\":\"Tee\",\"score\":0.12345678901234567890123}";
  private static final Answer DONE = Answer.of(200, "{\"output\":" + OUTPUT + "}");

  private PlatformWorld world;

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new PlatformWorld(server, topics, "ai_task");
    world.platform().answer(call -> DONE);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void the_output_is_kept_and_a_finished_task_never_calls_again() throws Exception {
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.SUCCEEDED, task);
    world.world().send(task);
    NewTask later = writeAndSend();
    world.world().awaitState(OperationState.SUCCEEDED, later);
    String group = world.world().settings().getOrDefault("onceward.worker.group-id", "");
    await().atMost(WorkerWorld.LIMIT).until(() -> world.world().committedTotal(group) == 3);

    AiTask kept = find(task);
    assertThat(kept.output()).isEqualTo(OUTPUT);
    assertThat(kept.completedAt()).isNotNull();
    assertThat(kept.state()).isEqualTo(OperationState.SUCCEEDED);
    assertThat(world.platform().calls()).containsExactly(call(task), call(later));
  }

  @Test
  void lost_answers_are_asked_for_again_with_the_same_key() throws Exception {
    AtomicInteger number = new AtomicInteger();
    world
        .platform()
        .answer(
            call ->
                switch (number.getAndIncrement()) {
                  case 0 -> Answer.of(0, null);
                  case 1 -> Answer.of(500, "");
                  case 2 -> Answer.of(200, "{\"output\":\"no object\"}");
                  default -> DONE;
                });
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.SUCCEEDED, task);

    assertThat(world.platform().calls())
        .hasSize(4)
        .extracting(Call::idempotencyKey)
        .containsOnly(task.event().id().toString());
  }

  @Test
  void an_output_that_may_not_be_kept_fails_at_once_and_is_not_asked_for_again() throws Exception {
    world
        .platform()
        .answer(
            call ->
                Answer.of(
                    200,
                    call.body().contains("image")
                        ? "{\"output\":{\"url\":\"https://x.example/i.png?X-Amz-Signature=ab\"}}"
                        : "{\"output\":{\"text\":\"" + "x".repeat(262_144) + "\"}}"));
    NewTask signed = writeAndSend("image");
    NewTask large = writeAndSend("text");
    world.world().awaitState(OperationState.FAILED, signed, large);

    for (NewTask task : new NewTask[] {signed, large}) {
      assertThat(world.world().find(task).lastErrorCode()).isEqualTo("PLATFORM_ANSWER_REFUSED");
      assertThat(find(task).output()).isNull();
    }
    assertThat(world.platform().calls()).hasSize(2);
  }

  @Test
  void a_retry_of_a_dead_task_goes_on_under_the_key_that_may_have_had_its_effect()
      throws Exception {
    world.platform().answer(call -> Answer.of(0, null));
    NewTask task = writeAndSend();
    world.world().awaitState(OperationState.DEAD, task);
    world.platform().answer(call -> DONE);

    OutboxRow again =
        world.inWorkspace(
            connection -> {
              OperationControl.retry(connection, task.operationId(), null, null, null);
              Operation queued = OperationStore.find(connection, task.operationId()).orElseThrow();
              return OutboxReader.find(connection, queued.eventId()).orElseThrow();
            });
    world.world().send(again);
    world.world().awaitState(OperationState.SUCCEEDED, task);

    assertThat(again.id()).isNotEqualTo(task.event().id());
    assertThat(world.platform().calls())
        .hasSize(9)
        .extracting(Call::idempotencyKey)
        .containsOnly(task.event().id().toString());
  }

  private static Call call(NewTask task) {
    return new Call(
        "POST",
        "/v1/ai-tasks",
        task.event().id().toString(),
        PlatformWorld.TRACEPARENT,
        "{\"kind\":\"text\",\"input\":" + INPUT + "}");
  }

  private AiTask find(NewTask task) throws Exception {
    UUID id = UUID.fromString(task.event().aggregateId());
    return world.inWorkspace(connection -> AiTaskStore.find(connection, id).orElseThrow());
  }

  private NewTask writeAndSend() throws Exception {
    return writeAndSend("text");
  }

  private NewTask writeAndSend(String kind) throws Exception {
    UUID id = UUID.randomUUID();
    NewTask task =
        PlatformWorld.task(
            AiTaskStore.OPERATION_KIND,
            NewEvent.of(
                "ai.task_requested", "ai_task", id.toString(), "{\"ai_task_id\":\"" + id + "\"}"));
    world.inWorkspace(
        connection -> {
          TaskWriter.append(connection, task);
          AiTaskStore.insert(connection, id, task.operationId(), kind, INPUT);
          return true;
        });
    world.world().send(task);
    return task;
  }
}
