package dev.onceward.api.operation;

import dev.onceward.api.http.Request;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.SqlStates;
import dev.onceward.db.draft.PublicationStore;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.sync.ProductSyncStore;
import java.sql.Connection;
import java.sql.SQLException;

/** Starts tasks, anew or again, and knows which may not be active beside which. */
public final class TaskStart {
  private TaskStart() {}

  /**
   * Writes an operation and the event that asks for it, under the ids of the request.
   *
   * @throws dev.onceward.api.problem.ProblemException {@code PUBLICATION_EXISTS} or {@code
   *     SYNC_ALREADY_ACTIVE} when there is one that excludes it
   */
  public static Operation write(Connection connection, Request request, String kind, NewEvent event)
      throws SQLException {
    NewTask task =
        NewTask.of(
            kind,
            event.withTrace(
                request.ids().requestId(),
                request.ids().correlationId(),
                request.ids().traceparent()));
    try {
      TaskWriter.append(connection, task);
    } catch (SQLException e) {
      throw refusedOr(e);
    }
    return OperationStore.find(connection, task.operationId())
        .orElseThrow(() -> new IllegalStateException("the operation was just written"));
  }

  /**
   * The failure itself, for the caller to throw, unless it is an exclusion.
   *
   * @throws dev.onceward.api.problem.ProblemException for an exclusion
   */
  static SQLException refusedOr(SQLException failure) {
    String index = SqlStates.constraint(failure);
    if (PublicationStore.ONE_PER_DRAFT.equals(index)) {
      throw Problem.of(
              ProblemCode.PUBLICATION_EXISTS,
              "The draft has a publication that is active or has succeeded.")
          .exception();
    }
    if (ProductSyncStore.ONE_ACTIVE.equals(index)) {
      throw Problem.of(
              ProblemCode.SYNC_ALREADY_ACTIVE,
              "The store has a product sync that is active; wait for its end or cancel it.")
          .exception();
    }
    return failure;
  }
}
