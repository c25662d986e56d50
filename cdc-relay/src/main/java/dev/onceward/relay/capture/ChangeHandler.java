package dev.onceward.relay.capture;

import java.util.List;

/** Takes what a {@link ChangeSource} yields, one batch at a time, always on one thread. */
@FunctionalInterface
public interface ChangeHandler {
  /**
   * Takes the next batch, in commit order. Returning means that every event of it is safe
   * elsewhere; throwing ends the source without confirming the batch. An implementation may wait as
   * long as it must, but ends at once on an interrupt.
   *
   * @param events at least one
   */
  void handle(List<CapturedEvent> events) throws InterruptedException;
}
