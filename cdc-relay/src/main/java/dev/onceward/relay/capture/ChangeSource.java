package dev.onceward.relay.capture;

import java.time.Duration;

/**
 * A stream of outbox rows in commit order, used once. {@link #run} belongs to one thread; {@link
 * #close} may be called by any other, at any time.
 */
public interface ChangeSource {
  /**
   * Streams from the slot's confirmed position until {@link #close} or a failure. What the handler
   * has returned from may be confirmed at the slot; what it has not, never is.
   *
   * @throws CaptureException if the stream failed, with the cause; what the handler throws is
   *     passed on as it is
   */
  void run(ChangeHandler handler) throws CaptureException;

  /**
   * Asks {@link #run} to end and returns without waiting for that. A batch in the handler's hands
   * may finish within the patience and is then confirmed; after it the handler is interrupted.
   * Idempotent.
   *
   * @param patience how long; zero to interrupt at once
   */
  void close(Duration patience);
}
