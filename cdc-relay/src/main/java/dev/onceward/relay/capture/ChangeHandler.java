package dev.onceward.relay.capture;

/** Takes what a {@link ChangeSource} yields, one batch at a time, always on one thread. */
@FunctionalInterface
public interface ChangeHandler {
  /**
   * Takes the next batch, in the log's order. Returning means that every event of it is safe
   * elsewhere; throwing ends the source without confirming the batch. An implementation may wait as
   * long as it must, but ends at once on an interrupt.
   */
  void handle(ChangeBatch batch) throws InterruptedException;
}
