package dev.onceward.worker.claim;

import dev.onceward.worker.handle.HandlerResult;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How an attempt ended. Immutable. */
sealed interface Outcome {

  /** The handler did its work; what it found out is still to be written. */
  record Succeeded(HandlerResult result) implements Outcome {}

  /** No later attempt can help. */
  record Failed(String code, String summary) implements Outcome {}

  /**
   * A later attempt may help.
   *
   * @param notBefore the least wait the other side asked for; null if it did not
   */
  record Retriable(String code, String summary, @Nullable Duration notBefore) implements Outcome {}

  /** Somebody else may have the task by now: nothing is written. */
  record LeaseLost() implements Outcome {}

  /** The worker stops: the task goes back, and this attempt does not count. */
  record HandedBack() implements Outcome {}
}
