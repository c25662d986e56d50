package dev.onceward.db.flow;

import dev.onceward.db.UuidV7;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Every change of a run and its to-dos together with the event that tells of it, in the caller's
 * transaction. Stateless.
 */
public final class FlowWriter {

  /** The kind of the operations that take a run on. */
  public static final String ADVANCE_RUN = "advance_run";

  /** The aggregate of all events here. */
  public static final String AGGREGATE = "run";

  /** A run was started; asks for {@link #ADVANCE_RUN}. */
  public static final String RUN_STARTED = "run.started";

  /** A run has its outcome; asks for nothing. */
  public static final String RUN_ENDED = "run.ended";

  /** A run waits for a to-do; asks for nothing. */
  public static final String TODO_CREATED = "todo.created";

  /** A to-do was resolved; asks for {@link #ADVANCE_RUN}. */
  public static final String TODO_RESOLVED = "todo.resolved";

  private static final String TODO = "todo";

  private FlowWriter() {}

  /**
   * Starts a run.
   *
   * @param input a JSON object without secrets
   * @param receiptId the receipt under which it is started, or null
   * @param trace adds to the event what it is traced by
   */
  public static Run start(
      Connection connection,
      Flow flow,
      String input,
      @Nullable UUID receiptId,
      UnaryOperator<NewEvent> trace)
      throws SQLException {
    UUID runId = UuidV7.next();
    String payload = "{\"run_id\":\"%s\",\"flow\":\"%s\"}".formatted(runId, flow.label());
    NewTask task =
        NewTask.of(
            ADVANCE_RUN,
            trace.apply(NewEvent.of(RUN_STARTED, AGGREGATE, runId.toString(), payload)));
    Run run = RunStore.insert(connection, runId, flow, input, receiptId, task.operationId());
    TaskWriter.append(connection, task);
    return run;
  }

  /**
   * Resolves a to-do.
   *
   * @param todo as it was found; it may be resolved by now
   * @param receiptId the receipt under which it is resolved, or null
   * @param trace adds to the event what it is traced by
   * @return the resolved to-do, or empty if it does not wait any more
   */
  public static Optional<Todo> resolve(
      Connection connection,
      Todo todo,
      String decision,
      @Nullable String comment,
      @Nullable UUID receiptId,
      UnaryOperator<NewEvent> trace)
      throws SQLException {
    String payload =
        "{\"run_id\":\"%s\",\"todo_id\":\"%s\",\"decision\":\"%s\"}"
            .formatted(todo.runId(), todo.id(), decision);
    NewEvent event =
        NewEvent.of(TODO_RESOLVED, AGGREGATE, todo.runId().toString(), payload)
            .withResource(TODO, todo.id().toString());
    NewTask task = NewTask.of(ADVANCE_RUN, trace.apply(event));
    boolean resolved =
        TodoStore.resolve(connection, todo.id(), decision, comment, receiptId, task.operationId());
    if (!resolved) {
      return Optional.empty();
    }
    TaskWriter.append(connection, task);
    return TodoStore.find(connection, todo.id());
  }

  /**
   * Lets a running run wait for a to-do.
   *
   * @return the to-do's id, or empty if the run is not running
   */
  public static Optional<UUID> awaitTodo(
      Connection connection, UUID runId, String name, UnaryOperator<NewEvent> trace)
      throws SQLException {
    if (!RunStore.awaitTodo(connection, runId)) {
      return Optional.empty();
    }
    UUID todoId = UuidV7.next();
    TodoStore.insert(connection, todoId, runId, name);
    String payload =
        "{\"run_id\":\"%s\",\"todo_id\":\"%s\",\"name\":\"%s\"}".formatted(runId, todoId, name);
    OutboxWriter.append(
        connection,
        trace.apply(
            NewEvent.of(TODO_CREATED, AGGREGATE, runId.toString(), payload)
                .withResource(TODO, todoId.toString())));
    return Optional.of(todoId);
  }

  /** Ends a run from the state that is named; false if it was in another. */
  public static boolean end(
      Connection connection,
      UUID runId,
      RunState from,
      String outcome,
      UnaryOperator<NewEvent> trace)
      throws SQLException {
    if (!RunStore.end(connection, runId, from, outcome)) {
      return false;
    }
    String payload = "{\"run_id\":\"%s\",\"outcome\":\"%s\"}".formatted(runId, outcome);
    OutboxWriter.append(
        connection, trace.apply(NewEvent.of(RUN_ENDED, AGGREGATE, runId.toString(), payload)));
    return true;
  }
}
