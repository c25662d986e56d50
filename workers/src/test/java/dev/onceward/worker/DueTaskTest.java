package dev.onceward.worker;

import static dev.onceward.worker.WorkerWorld.task;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Tasks that Kafka does not bring: nothing is sent to any topic here. */
@ExtendWith(InfrastructureExtension.class)
@Timeout(120)
class DueTaskTest {

  private WorkerWorld world;
  private final ScriptedHandler handler = ScriptedHandler.quick();

  @BeforeEach
  void open(PostgresServer server, TestTopics topics) throws Exception {
    world = new WorkerWorld(server, topics, 1);
  }

  @AfterEach
  void close() throws Exception {
    world.close();
  }

  @Test
  void a_task_whose_event_was_dispatched_long_ago_is_taken_up_in_every_workspace()
      throws Exception {
    NewTask ours = task("a");
    NewTask theirs = task("a");
    NewTask fresh = task("a");
    Tenant others = world.database().newTenant();
    world.write(ours, fresh);
    var unused =
        world
            .app()
            .inWorkspace(
                others.workspaceId(),
                connection -> {
                  TaskWriter.append(connection, theirs);
                  return true;
                });
    everythingIsAudited();
    age(ours);
    age(theirs);
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, ours, theirs);

    assertThat(handler.calls()).containsExactlyInAnyOrder(ours.event().id(), theirs.event().id());
    assertThat(world.state(fresh)).isEqualTo(OperationState.QUEUED);
    assertThat(
            world
                .app()
                .inWorkspace(
                    others.workspaceId(),
                    connection -> OperationStore.find(connection, theirs.operationId()))
                .map(Operation::state))
        .contains(OperationState.SUCCEEDED);
  }

  @Test
  void a_task_whose_event_is_not_dispatched_is_left_to_kafka() throws Exception {
    everythingIsAudited();
    NewTask pending = task("a");
    NewTask due = task("a");
    world.write(due);
    everythingIsAudited();
    world.write(pending);
    age(pending);
    age(due);
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, due);

    assertThat(world.state(pending)).isEqualTo(OperationState.QUEUED);
    assertThat(handler.calls()).containsExactly(due.event().id());
  }

  @Test
  void a_due_task_that_nobody_here_can_do_fails_visibly() throws Exception {
    NewTask unknown =
        NewTask.of(
            ScriptedHandler.KIND,
            NewEvent.of("thing.unheard_of", ScriptedHandler.AGGREGATE_TYPE, "a", "{}"));
    NewTask plain = task("a");
    NewTask newer =
        new NewTask(plain.operationId(), plain.kind(), 8, plain.event().withPayloadVersion(7));
    NewTask gone = task("a");
    world.write(unknown, newer, gone);
    everythingIsAudited();
    age(unknown);
    age(newer);
    // A retry that outlived the retention of its event.
    superuser(
        "UPDATE onceward.operations SET state = 'waiting_retry', attempt = 1, next_attempt_at = now(),"
            + " last_error_code = 'X' WHERE id = '"
            + gone.operationId()
            + "'",
        "DELETE FROM onceward.outbox_events WHERE id = '" + gone.event().id() + "'");
    world.start(handler);
    world.awaitState(OperationState.FAILED, unknown, newer, gone);

    assertThat(world.find(unknown).lastErrorCode()).isEqualTo("UNKNOWN_EVENT_TYPE");
    assertThat(world.find(newer).lastErrorCode()).isEqualTo("NEWER_PAYLOAD_VERSION");
    assertThat(world.find(gone).lastErrorCode()).isEqualTo("EVENT_GONE");
    assertThat(handler.calls()).isEmpty();
  }

  @Test
  void operations_of_kinds_without_a_handler_here_are_left_alone() throws Exception {
    NewTask foreign =
        NewTask.of(
            "of_another_worker",
            NewEvent.of("thing.wanted", ScriptedHandler.AGGREGATE_TYPE, "a", "{}"));
    NewTask ours = task("a");
    world.write(foreign, ours);
    everythingIsAudited();
    age(foreign);
    age(ours);
    world.start(handler);
    world.awaitState(OperationState.SUCCEEDED, ours);

    assertThat(world.state(foreign)).isEqualTo(OperationState.QUEUED);
  }

  /** In the relay's place: every event written so far is in Kafka, proven. */
  private void everythingIsAudited() throws SQLException {
    superuser(
        "INSERT INTO onceward.relay_state (relay, audited_snapshot, audited_at)"
            + " VALUES ('onceward', pg_current_snapshot(), now())"
            + " ON CONFLICT (relay) DO UPDATE SET audited_snapshot = EXCLUDED.audited_snapshot");
  }

  private void age(NewTask task) throws SQLException {
    superuser(
        "UPDATE onceward.operations SET updated_at = now() - interval '3 minutes' WHERE id = '"
            + task.operationId()
            + "'");
  }

  private void superuser(String... statements) throws SQLException {
    try (Connection connection = world.database().superuser();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
