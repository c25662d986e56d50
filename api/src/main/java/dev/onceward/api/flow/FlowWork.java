package dev.onceward.api.flow;

import dev.onceward.api.http.Request;
import dev.onceward.api.http.RequestIds;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.SecretRefusal;
import dev.onceward.api.receipt.ReceiptWork;
import dev.onceward.db.flow.Flow;
import dev.onceward.db.flow.FlowWriter;
import dev.onceward.db.flow.Run;
import dev.onceward.db.flow.RunStore;
import dev.onceward.db.flow.Todo;
import dev.onceward.db.flow.TodoStore;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.secret.SecretGuard;
import dev.onceward.db.store.StoreAuthorizationStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What may be done under a receipt: start a run, resolve a to-do. Thread-safe. */
public final class FlowWork {
  private static final int MAX_COMMENT_CHARACTERS = 2_000;
  private static final int MAX_NAME_CHARACTERS = 120;

  private final StoreAuthorizationStore stores;

  /** Looks stores up that a flow is about. */
  public FlowWork(StoreAuthorizationStore stores) {
    this.stores = stores;
  }

  /** Starts a run as a client asks: {@code {"flow":…,"input":{…}}} and nothing else. */
  ReceiptWork start(JsonValue body, RequestIds ids) {
    return new Starting() {
      @Override
      public Done execute(Connection connection, UUID receiptId) throws SQLException {
        Fields fields = Fields.of(body);
        Flow flow = flow(fields);
        Fields inputFields = fields.object("input");
        fields.refuseOthers();
        String input = FlowInputs.read(connection, flow, inputFields, stores);
        inputFields.refuseOthers();
        return started(connection, flow, input, receiptId, ids);
      }
    };
  }

  /**
   * Starts a run as an outside system asks: the flow's input is the member {@code data}, and what
   * else it sends is ignored.
   */
  public ReceiptWork startByHook(Flow flow, JsonValue body, RequestIds ids) {
    return new Starting() {
      @Override
      public Done execute(Connection connection, UUID receiptId) throws SQLException {
        Fields data = Fields.of(body).object("data");
        String input = FlowInputs.read(connection, flow, data, stores);
        return started(connection, flow, input, receiptId, ids);
      }
    };
  }

  /** Resolves a to-do as a client asks: {@code {"decision":…,"comment":…?}} and nothing else. */
  ReceiptWork resolve(UUID todoId, JsonValue body, RequestIds ids) {
    return new Resolving() {
      @Override
      public Done execute(Connection connection, UUID receiptId) throws SQLException {
        Fields fields = Fields.of(body);
        Todo todo =
            TodoStore.find(connection, todoId)
                .orElseThrow(() -> Request.notFound("to-do").exception());
        String decision = decision(fields, todo);
        String comment = comment(fields);
        fields.refuseOthers();
        return resolved(connection, todo, decision, comment, receiptId, ids);
      }
    };
  }

  /**
   * Resolves a to-do as an outside system asks: {@code data} names it, and what else is sent is
   * ignored.
   */
  public ReceiptWork resolveByHook(JsonValue body, RequestIds ids) {
    return new Resolving() {
      @Override
      public Done execute(Connection connection, UUID receiptId) throws SQLException {
        Fields data = Fields.of(body).object("data");
        UUID todoId = data.id("todo_id");
        Todo todo =
            TodoStore.find(connection, todoId)
                .orElseThrow(
                    () ->
                        Problem.of(
                                ProblemCode.NOT_FOUND,
                                "/data/todo_id",
                                "Your workspace has no to-do with this id.")
                            .exception());
        return resolved(connection, todo, decision(data, todo), comment(data), receiptId, ids);
      }
    };
  }

  private static Flow flow(Fields fields) {
    return Flow.ofLabel(fields.text("flow", MAX_NAME_CHARACTERS))
        .orElseThrow(
            () -> fields.invalid("flow", "must be one of " + String.join(", ", Flow.labels())));
  }

  private static String decision(Fields fields, Todo todo) {
    List<String> decisions = Flow.ofLabel(todo.flow()).map(Flow::decisions).orElse(List.of());
    String decision = fields.text("decision", MAX_NAME_CHARACTERS);
    if (!decisions.contains(decision)) {
      throw fields.invalid("decision", "must be one of " + String.join(", ", decisions));
    }
    return decision;
  }

  private static @Nullable String comment(Fields fields) {
    return fields.has("comment") ? fields.multilineText("comment", MAX_COMMENT_CHARACTERS) : null;
  }

  private static ReceiptWork.Done started(
      Connection connection, Flow flow, String input, UUID receiptId, RequestIds ids)
      throws SQLException {
    Run run = FlowWriter.start(connection, flow, input, receiptId, event -> traced(event, ids));
    return new ReceiptWork.Done(run.id(), null);
  }

  private static ReceiptWork.Done resolved(
      Connection connection,
      Todo todo,
      String decision,
      @Nullable String comment,
      UUID receiptId,
      RequestIds ids)
      throws SQLException {
    if (comment != null && SecretGuard.isSecretInText(comment)) {
      throw SecretRefusal.problem().exception();
    }
    Todo resolved =
        FlowWriter.resolve(
                connection, todo, decision, comment, receiptId, event -> traced(event, ids))
            .orElseThrow(
                () ->
                    Problem.of(
                            ProblemCode.TODO_NOT_WAITING,
                            "This to-do was resolved before; read it to see how.")
                        .exception());
    return new ReceiptWork.Done(resolved.runId(), resolved.id());
  }

  private static NewEvent traced(NewEvent event, RequestIds ids) {
    return event.withTrace(ids.requestId(), ids.correlationId(), ids.traceparent());
  }

  /** Finds a started run. */
  private interface Starting extends ReceiptWork {
    @Override
    default Optional<Done> find(Connection connection, UUID receiptId) throws SQLException {
      return RunStore.findByReceipt(connection, receiptId).map(run -> new Done(run.id(), null));
    }
  }

  /** Finds a resolved to-do. */
  private interface Resolving extends ReceiptWork {
    @Override
    default Optional<Done> find(Connection connection, UUID receiptId) throws SQLException {
      return TodoStore.findByReceipt(connection, receiptId)
          .map(todo -> new Done(todo.runId(), todo.id()));
    }
  }
}
