package dev.onceward.worker.consume;

import org.jspecify.annotations.Nullable;

/**
 * One record on its way through this worker. Called by one thread at a time, but by different ones.
 */
public interface Delivery {

  /**
   * What must stay in order: deliveries of the same lane are attempted one after another, in the
   * order of their arrival. Null if nothing waits for this one.
   */
  @Nullable String lane();

  /**
   * Deals with the record, however long that takes. Nothing thrown from here loses the record: it
   * is offered again.
   *
   * @param secured to be run, at most once, as soon as the broker need not keep the record any more
   *     because the work is taken over by this worker's lease
   * @throws InterruptedException if the worker stops; the record stays uncommitted
   */
  Disposition attempt(Runnable secured) throws InterruptedException;
}
