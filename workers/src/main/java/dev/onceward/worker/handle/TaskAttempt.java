package dev.onceward.worker.handle;

import dev.onceward.db.Database;
import dev.onceward.db.operation.Operation;
import java.sql.SQLException;

/** What a handler gets to see of one attempt. Thread-safe. */
public interface TaskAttempt {

  /** The event that asks for the work. It carries ids and versions; read the rest. */
  TaskEvent event();

  /** The operation as it was when this attempt was claimed; its attempt number is this one's. */
  Operation operation();

  /**
   * The same text in every attempt at this event: whatever leaves the process carries it, so that
   * the other side can tell a repetition.
   */
  default String idempotencyKey() {
    return event().envelope().eventId().toString();
  }

  /**
   * Runs a short transaction under the event's workspace, for reading what the work needs. What it
   * writes stays even if the attempt fails; results belong into the {@link HandlerResult}.
   */
  <T> T inWorkspace(Database.Work<T> work) throws SQLException;

  /** Whether the attempt was cut off (time-out, lost lease, stop): then nobody waits for it. */
  boolean isOver();
}
