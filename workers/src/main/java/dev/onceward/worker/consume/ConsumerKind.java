package dev.onceward.worker.consume;

/** How workers share the records of a topic. */
public enum ConsumerKind {
  /**
   * A consumer group: each partition belongs to one worker, and records of one aggregate are
   * attempted in their order. Failure: a worker that dies holds its partitions up for as long as
   * the group takes to notice.
   */
  GROUP,
  /**
   * A share group (Kafka 4.2 or newer): any worker takes any record, so that more workers than
   * partitions have work; there is no order. A record is acknowledged once its task is claimed.
   * Failure: a record that is let go too often is given up by the broker (5 times by default); the
   * task behind it is then taken up from the table.
   */
  SHARE
}
