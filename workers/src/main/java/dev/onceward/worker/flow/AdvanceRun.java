package dev.onceward.worker.flow;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.onceward.db.flow.Flow;
import dev.onceward.db.flow.FlowWriter;
import dev.onceward.db.flow.Run;
import dev.onceward.db.flow.RunState;
import dev.onceward.db.flow.RunStore;
import dev.onceward.db.flow.Todo;
import dev.onceward.db.flow.TodoStore;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.store.StoreAuthorization;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.event.Envelope;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import dev.onceward.worker.handle.TaskEvent;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.function.UnaryOperator;

/**
 * Takes a run on: after its start to its to-do or its end, after the to-do to its end. All of it is
 * written by the result, so it needs nothing but the database.
 */
final class AdvanceRun implements EventHandler {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String SUPERSEDED = "{\"outcome\":\"superseded\"}";

  private final StoreAuthorizationStore stores;

  AdvanceRun(StoreAuthorizationStore stores) {
    this.stores = stores;
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(
        new HandledType(FlowWriter.RUN_STARTED, 1, FlowWriter.AGGREGATE, FlowWriter.ADVANCE_RUN),
        new HandledType(FlowWriter.TODO_RESOLVED, 1, FlowWriter.AGGREGATE, FlowWriter.ADVANCE_RUN),
        HandledType.notice(FlowWriter.TODO_CREATED, FlowWriter.AGGREGATE),
        HandledType.notice(FlowWriter.RUN_ENDED, FlowWriter.AGGREGATE));
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws Exception {
    RunEvent event = RunEvent.read(attempt.event().envelope().payload());
    Run run =
        attempt
            .inWorkspace(connection -> RunStore.find(connection, event.runId()))
            .orElseThrow(
                () -> new PermanentTaskException("RUN_NOT_FOUND", "The run does not exist."));
    Flow flow =
        Flow.ofLabel(run.flow())
            .orElseThrow(
                () ->
                    new PermanentTaskException(
                        "FLOW_UNKNOWN", "The flow of the run is not known to this worker."));
    UnaryOperator<NewEvent> trace = trace(attempt.event());
    UUID todoId = event.todoId();
    if (todoId != null) {
      return connection -> endAfter(connection, flow, run.id(), todoId, trace);
    }
    String todo = flow.todo();
    if (todo != null) {
      return connection ->
          FlowWriter.awaitTodo(connection, run.id(), todo, trace)
              .map(id -> "{\"state\":\"waiting\",\"todo_id\":\"%s\"}".formatted(id))
              .orElse(SUPERSEDED);
    }
    UUID storeId = storeId(run);
    return connection ->
        end(connection, run.id(), RunState.RUNNING, storeOutcome(connection, storeId), trace);
  }

  private static String endAfter(
      Connection connection, Flow flow, UUID runId, UUID todoId, UnaryOperator<NewEvent> trace)
      throws SQLException {
    String decision =
        TodoStore.find(connection, todoId)
            .map(Todo::decision)
            .orElseThrow(() -> new IllegalStateException("to-do " + todoId + " has no decision"));
    return end(connection, runId, RunState.WAITING, flow.outcome(decision), trace);
  }

  private static String end(
      Connection connection,
      UUID runId,
      RunState from,
      String outcome,
      UnaryOperator<NewEvent> trace)
      throws SQLException {
    return FlowWriter.end(connection, runId, from, outcome, trace)
        ? "{\"state\":\"ended\",\"outcome\":\"%s\"}".formatted(outcome)
        : SUPERSEDED;
  }

  /** What is known of the store's credentials when the run ends. */
  private String storeOutcome(Connection connection, UUID storeId) throws SQLException {
    return stores.find(connection, storeId).map(StoreAuthorization::verification).orElse("missing");
  }

  private static UUID storeId(Run run) throws PermanentTaskException {
    try {
      return UUID.fromString(JSON.readTree(run.input()).path("store_id").asText());
    } catch (JsonProcessingException | IllegalArgumentException notReadable) {
      throw new PermanentTaskException(
          "RUN_INPUT_INVALID", "The run's input names no store.", notReadable);
    }
  }

  private static UnaryOperator<NewEvent> trace(TaskEvent cause) {
    Envelope envelope = cause.envelope();
    return event ->
        event.withTrace(envelope.requestId(), envelope.correlationId(), cause.traceparent());
  }
}
