package dev.onceward.worker;

/** What waits for what. */
public enum DeliveryOrder {
  /**
   * First attempts at events of one aggregate are made in the order of the topic. Failure: a retry
   * comes later, and later events of the aggregate do not wait for it.
   */
  AGGREGATE,
  /** Nothing waits. Failure: events of one aggregate may be worked on at the same time. */
  NONE
}
