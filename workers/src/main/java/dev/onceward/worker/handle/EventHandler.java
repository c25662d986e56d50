package dev.onceward.worker.handle;

import java.time.Duration;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * Does the work that an event asks for. One instance serves all threads: it must be thread-safe.
 *
 * <p>An attempt may be cut off at any point (time-out, lost lease, killed process) and the next one
 * starts again from the front, perhaps while the cut-off one still runs. So whatever leaves this
 * process carries {@link TaskAttempt#idempotencyKey()}, and whatever is written to the database is
 * written by the {@link HandlerResult}, together with the end of the operation.
 */
public interface EventHandler {

  /** What it is for; at least one type. Read once, at the start. */
  Collection<HandledType> handledTypes();

  /** How long one attempt may take; null for the configured time-out. */
  default @Nullable Duration timeout() {
    return null;
  }

  /**
   * Whether an event that was written without an operation gets one when it is claimed. False: such
   * an event is set aside.
   */
  default boolean makesOperations() {
    return false;
  }

  /**
   * Works outside any transaction. An interrupt means that the attempt is over.
   *
   * @return how to finish; never null
   * @throws PermanentTaskException if no later attempt can help: the operation fails
   * @throws RetriableTaskException if a later attempt may help
   * @throws Exception anything else counts as retriable; its message is neither stored nor logged
   */
  HandlerResult handle(TaskAttempt attempt) throws Exception;
}
