package dev.onceward.api.flow;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Caller;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.FingerprintKeys;
import dev.onceward.api.idempotent.IdempotencyKey;
import dev.onceward.api.idempotent.RequestFingerprint;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.json.StrictJson;
import dev.onceward.api.operation.OperationJson;
import dev.onceward.api.receipt.ReceiptResult;
import dev.onceward.api.receipt.ReceiptWork;
import dev.onceward.api.receipt.ReceiptedWrites;
import dev.onceward.db.Database;
import dev.onceward.db.flow.Run;
import dev.onceward.db.flow.RunStore;
import dev.onceward.db.flow.Todo;
import dev.onceward.db.flow.TodoStore;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.receipt.ReceiptRequest;
import dev.onceward.db.receipt.ReceiptTable;
import dev.onceward.db.receipt.Receipts;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The calls under {@code /v1/runs} and {@code /v1/todos}. Thread-safe. */
public final class FlowCalls {
  private static final String START = "POST /v1/runs";
  private static final String RESOLVE = "POST /v1/todos/{id}/resolution";

  private final Database database;
  private final FingerprintKeys keys;
  private final FlowWork work;
  private final ReceiptedWrites writes;

  /**
   * @param keys for fingerprints
   * @param work what is done under a receipt
   */
  public FlowCalls(Database database, FingerprintKeys keys, FlowWork work) {
    this.database = database;
    this.keys = keys;
    this.work = work;
    this.writes = new ReceiptedWrites(database, new Receipts(ReceiptTable.API_RECEIPTS));
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.write("POST", "/v1/runs", this::start),
        Route.get("/v1/runs", this::listRuns),
        Route.get("/v1/runs/{id}", this::getRun),
        Route.get("/v1/todos", this::listTodos),
        Route.get("/v1/todos/{id}", this::getTodo),
        Route.write("POST", "/v1/todos/{id}/resolution", this::resolve));
  }

  private Answer start(Request request) throws SQLException {
    IdempotencyKey key = IdempotencyKey.of(request.header("idempotency-key"));
    request.queryParameters().refuseOthers();
    JsonValue body = StrictJson.read(request.body());
    return carryOut(request, key, body, START, work.start(body, request.ids()));
  }

  private Answer resolve(Request request) throws SQLException {
    IdempotencyKey key = IdempotencyKey.of(request.header("idempotency-key"));
    request.queryParameters().refuseOthers();
    UUID todoId = request.id("to-do");
    JsonValue body = StrictJson.read(request.body());
    return carryOut(request, key, body, RESOLVE, work.resolve(todoId, body, request.ids()));
  }

  private Answer carryOut(
      Request request, IdempotencyKey key, JsonValue body, String endpoint, ReceiptWork asked)
      throws SQLException {
    Caller caller = request.caller();
    ReceiptRequest wanted =
        new ReceiptRequest(
            caller.userId(),
            key.text(),
            new RequestFingerprint(keys, request, body),
            List.of(caller.accessKeyId(), endpoint));
    ReceiptResult result = writes.carryOut(caller.workspaceId(), wanted, asked);
    return database.inWorkspace(caller.workspaceId(), connection -> answer(connection, result));
  }

  /** Shows what the key led to as it is now. */
  private static Answer answer(Connection connection, ReceiptResult result) throws SQLException {
    ObjectNode body = ids(result);
    UUID operationId;
    if (result.todoId() != null) {
      Todo todo = found(TodoStore.find(connection, result.todoId()).orElse(null));
      operationId = found(todo.operationId());
      body.set("todo", FlowJson.of(todo));
    } else {
      Run run = found(RunStore.find(connection, found(result.runId())).orElse(null));
      operationId = run.operationId();
      body.set("run", FlowJson.of(run));
    }
    body.set(
        "operation",
        OperationJson.of(found(OperationStore.find(connection, operationId).orElse(null))));
    return Answer.json(202, body).withHeader("Location", "/v1/operations/" + operationId);
  }

  private static <T> T found(@Nullable T row) {
    return Objects.requireNonNull(row, "what a receipt names stays as long as its workspace");
  }

  /** What a key led to, by ids: {@code run_id}, {@code todo_id}, duplicate, reclaimed. */
  public static ObjectNode ids(ReceiptResult result) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    if (result.runId() != null) {
      body.put("run_id", result.runId().toString());
    }
    if (result.todoId() != null) {
      body.put("todo_id", result.todoId().toString());
    }
    body.put("duplicate", result.duplicate());
    body.put("reclaimed", result.reclaimed());
    return body;
  }

  private Answer getRun(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("run");
    Run run =
        database
            .inWorkspace(
                request.caller().workspaceId(), connection -> RunStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("run").exception());
    return Answer.json(200, FlowJson.of(run));
  }

  private Answer listRuns(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<Run> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> RunStore.list(connection, after, limit + 1));
    return Page.answer(found, limit, Run::id, FlowJson::of);
  }

  private Answer getTodo(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("to-do");
    Todo todo =
        database
            .inWorkspace(
                request.caller().workspaceId(), connection -> TodoStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("to-do").exception());
    return Answer.json(200, FlowJson.of(todo));
  }

  private Answer listTodos(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    Boolean resolved = resolved(parameters.optional("state"));
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<Todo> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> TodoStore.list(connection, resolved, after, limit + 1));
    return Page.answer(found, limit, Todo::id, FlowJson::of);
  }

  private static @Nullable Boolean resolved(@Nullable String state) {
    if (state == null) {
      return null;
    }
    return switch (state) {
      case "waiting" -> false;
      case "resolved" -> true;
      default -> throw QueryParameters.invalid("state", "It must be one of waiting, resolved.");
    };
  }
}
