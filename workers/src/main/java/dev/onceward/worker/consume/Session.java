package dev.onceward.worker.consume;

/** The life of one Kafka client. Confined to the consumer's thread. */
interface Session extends AutoCloseable {

  /**
   * One turn of the loop; returns soon, whatever work is under way.
   *
   * @param taking whether anything new may begin
   */
  void pass(boolean taking);

  /** Tells the broker what is finished, waiting for its answer a short while. */
  void commit();

  /** Leaves the group; from then on nothing of this session begins. */
  @Override
  void close();
}
