package dev.onceward.worker;

import dev.onceward.db.Database;
import dev.onceward.db.operation.DueOperation;
import dev.onceward.db.outbox.OutboxReader;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.worker.claim.TaskProcessor;
import dev.onceward.worker.claim.TaskResult;
import dev.onceward.worker.handle.HandlerRegistry;
import dev.onceward.worker.handle.TaskEvent;
import dev.onceward.worker.retry.DatabaseStatus;
import dev.onceward.worker.retry.DueTaskLoop;
import java.sql.SQLException;
import java.util.Optional;

/** Works on an operation that is due without Kafka: its event is read from the outbox. */
final class DueTaskTaker implements DueTaskLoop.Taker {

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
    Optional<OutboxRow> row;
    try {
      row =
          database.inWorkspace(
              due.workspaceId(), connection -> OutboxReader.find(connection, due.eventId()));
    } catch (SQLException failure) {
      status.failed(failure);
      return; // still due at the next look
    }
    if (row.isEmpty()) {
      tasks.giveUp(due, "EVENT_GONE", "The event is not in the outbox any more.");
    } else {
      take(due, row.get());
    }
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
      if (tasks.process(event, registration.handler()) == TaskResult.USED_UP) {
        tasks.bury(due, row.eventType());
      }
    }
  }
}
