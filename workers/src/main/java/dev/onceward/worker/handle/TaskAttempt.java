package dev.onceward.worker.handle;

import dev.onceward.db.Database;
import dev.onceward.db.operation.Operation;
import java.sql.SQLException;
import java.util.UUID;

/** What a handler gets to see of one attempt. Thread-safe. */
public interface TaskAttempt {

  /** The event that asks for the work. It carries ids and versions; read the rest. */
  TaskEvent event();

  /** The operation as it was when this attempt was claimed; its attempt number is this one's. */
  Operation operation();

  /**
   * The same text in every attempt at this event: whatever leaves the process carries it, so that
   * the other side can tell a repetition. It is the event's id; after an explicit retry of a dead
   * operation, which may have had its effect unseen, the id of the event that was retried.
   */
  default String idempotencyKey() {
    UUID kept = operation().effectKey();
    return (kept == null ? event().envelope().eventId() : kept).toString();
  }

  /**
   * Runs a short transaction under the event's workspace, for reading what the work needs. What it
   * writes stays even if the attempt fails; results belong into the {@link HandlerResult}.
   */
  <T> T inWorkspace(Database.Work<T> work) throws SQLException;

  /** Whether the attempt was cut off (time-out, lost lease, stop): then nobody waits for it. */
  boolean isOver();
}
