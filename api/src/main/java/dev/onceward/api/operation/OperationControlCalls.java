package dev.onceward.api.operation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.IdempotentWrites;
import dev.onceward.api.json.Fields;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.operation.ControlResult;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationControl;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;

/** {@code POST /v1/operations/{id}/retry} and {@code …/cancel}; the body of both is {@code {}}. */
public final class OperationControlCalls {
  private OperationControlCalls() {}

  /** The calls. */
  public static List<Route> routes(IdempotentWrites writes) {
    return List.of(
        Route.write(
            "POST", "/v1/operations/{id}/retry", writes.handler(OperationControlCalls::retry)),
        Route.write(
            "POST", "/v1/operations/{id}/cancel", writes.handler(OperationControlCalls::cancel)));
  }

  private static Answer retry(Connection connection, Request request, Fields body)
      throws SQLException {
    ControlResult result;
    try {
      result =
          OperationControl.retry(
              connection,
              request.id("operation"),
              request.ids().requestId(),
              request.ids().correlationId(),
              request.ids().traceparent());
    } catch (SQLException e) {
      throw TaskStart.refusedOr(e);
    }
    Operation operation =
        changed(
            result,
            ProblemCode.OPERATION_NOT_RETRIABLE,
            "Only a failed or dead operation can be retried; this one is ");
    return answer(202, operation).withHeader("Location", "/v1/operations/" + operation.id());
  }

  private static Answer cancel(Connection connection, Request request, Fields body)
      throws SQLException {
    return answer(
        200,
        changed(
            OperationControl.cancel(connection, request.id("operation")),
            ProblemCode.OPERATION_NOT_CANCELLABLE,
            "Only a queued or waiting_retry operation can be cancelled; this one is "));
  }

  private static Operation changed(ControlResult result, ProblemCode unfit, String rule) {
    if (result instanceof ControlResult.Changed changed) {
      return changed.operation();
    }
    if (result instanceof ControlResult.Unfit now) {
      throw Problem.of(unfit, rule + now.state().label() + ".").exception();
    }
    if (result instanceof ControlResult.EventGone) {
      throw Problem.of(
              ProblemCode.OPERATION_EVENT_GONE,
              "The operation's event had left the outbox before the operation failed, so what it"
                  + " asked for is not known any more; ask anew.")
          .exception();
    }
    throw Request.notFound("operation").exception();
  }

  private static Answer answer(int status, Operation operation) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("operation", OperationJson.of(operation));
    return Answer.json(status, body);
  }
}
