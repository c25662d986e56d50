package dev.onceward.worker;

import dev.onceward.db.Database;
import dev.onceward.db.operation.DueOperation;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.worker.claim.TaskProcessor;
import dev.onceward.worker.claim.TaskResult;
import dev.onceward.worker.handle.HandlerRegistry;
import dev.onceward.worker.handle.TaskEvent;
import dev.onceward.worker.retry.DatabaseStatus;
import dev.onceward.worker.retry.DueTaskLoop;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Optional;
import java.util.concurrent.Semaphore;

/** Works on an operation that is due without Kafka: its event is read from the outbox. */
final class DueTaskTaker implements DueTaskLoop.Taker {

  /**
   * What is known of a due operation.
   *
   * @param suspect see {@link #isSuspect}
   */
  private record Found(Optional<OutboxRow> row, boolean suspect) {}

  private final Semaphore suspects = new Semaphore(1);
  private final Database database;
  private final HandlerRegistry handlers;
  private final TaskProcessor tasks;
  private final DatabaseStatus status;

  DueTaskTaker(
      Database database, HandlerRegistry handlers, TaskProcessor tasks, DatabaseStatus status) {
    this.database = database;
    this.handlers = handlers;
    this.tasks = tasks;
    this.status = status;
  }

  @Override
  public void take(DueOperation due) throws InterruptedException {
    Found found;
    try {
      found = database.inWorkspace(due.workspaceId(), connection -> look(connection, due));
    } catch (SQLException failure) {
      status.failed(failure);
      return; // still due at the next look
    }
    if (found.row().isEmpty()) {
      tasks.giveUp(due, "EVENT_GONE", "The event is not in the outbox any more.");
    } else if (!found.suspect()) {
      take(due, found.row().get());
    } else if (suspects.tryAcquire()) {
      try {
        take(due, found.row().get());
      } finally {
        suspects.release();
      }
    } // else it is still due at a later look
  }

  private static Found look(Connection connection, DueOperation due) throws SQLException {
    return new Found(
        OutboxReader.find(connection, due.eventId()),
        OperationStore.find(connection, due.operationId())
            .filter(DueTaskTaker::isSuspect)
            .isPresent());
  }

  /**
   * Whether half of the attempts are gone and the last one's lease expired: it may be the task that
   * kills its worker each time. Such tasks are taken up one at a time, so that whoever was beside
   * it loses no more attempts to it than that half.
   */
  private static boolean isSuspect(Operation operation) {
    return operation.state() == OperationState.RUNNING
        && operation.attempt() * 2 >= operation.maxAttempts();
  }

  private void take(DueOperation due, OutboxRow row) throws InterruptedException {
    HandlerRegistry.Registration registration = handlers.find(row.eventType());
    if (registration == null) {
      tasks.giveUp(
          due,
          "UNKNOWN_EVENT_TYPE",
          "No handler is registered for event type %s.".formatted(row.eventType()));
    } else if (row.payloadVersion() > registration.type().newestPayloadVersion()) {
      tasks.giveUp(
          due,
          "NEWER_PAYLOAD_VERSION",
          "The handler of %s reads payload versions up to %d; this is %d."
              .formatted(
                  row.eventType(),
                  registration.type().newestPayloadVersion(),
                  row.payloadVersion()));
    } else {
      TaskEvent event = new TaskEvent(row.toEnvelope(), row.traceparent());
      if (tasks.takeUp(event, registration.handler()) == TaskResult.USED_UP) {
        tasks.bury(due, row.eventType());
      }
    }
  }
}
