package dev.onceward.worker.claim;

import dev.onceward.db.Database;
import dev.onceward.db.operation.Lease;
import dev.onceward.db.operation.Operation;
import dev.onceward.worker.handle.TaskAttempt;
import dev.onceward.worker.handle.TaskEvent;
import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;

/**
 * One attempt at a claimed operation. Whoever completes the outcome first decides it: the handler,
 * its time-out, the loss of the lease, or the worker's stop. Thread-safe.
 */
final class TaskRun implements TaskAttempt {

  private final Database database;
  private final TaskEvent event;
  private final Operation operation;
  private final Lease lease;
  private final CompletableFuture<Outcome> outcome = new CompletableFuture<>();

  TaskRun(Database database, TaskEvent event, Operation operation) {
    this.database = database;
    this.event = event;
    this.operation = operation;
    this.lease = Lease.of(operation);
  }

  @Override
  public TaskEvent event() {
    return event;
  }

  @Override
  public Operation operation() {
    return operation;
  }

  @Override
  public <T> T inWorkspace(Database.Work<T> work) throws SQLException {
    return database.inWorkspace(operation.workspaceId(), work);
  }

  @Override
  public boolean isOver() {
    return outcome.isDone();
  }

  /** Gives back what the decided outcome holds; nobody finishes this attempt any more. */
  void release() {
    if (outcome.isDone() && outcome.join() instanceof Outcome.Succeeded succeeded) {
      succeeded.result().released();
    }
  }

  Lease lease() {
    return lease;
  }

  CompletableFuture<Outcome> outcome() {
    return outcome;
  }
}
