package dev.onceward.db.operation;

import dev.onceward.db.UuidV7;
import dev.onceward.db.outbox.NewEvent;
import java.util.UUID;

/**
 * An operation to be written together with the event that asks a worker for it. The operation's
 * subject is the event's resource.
 *
 * @param operationId version 7
 * @param kind what is to be done, for example {@code verify_store_credentials}
 * @param maxAttempts 1 to 100
 */
public record NewTask(UUID operationId, String kind, int maxAttempts, NewEvent event) {

  /** Attempts of a task that does not ask for another number. */
  public static final int DEFAULT_MAX_ATTEMPTS = 8;

  /** A task with a new id and the default number of attempts. */
  public static NewTask of(String kind, NewEvent event) {
    return new NewTask(UuidV7.next(), kind, DEFAULT_MAX_ATTEMPTS, event);
  }
}
