package dev.onceward.relay.publish;

/**
 * Remembers each topic's partition count across restarts, so that a topic that has grown does not
 * move its aggregates.
 */
@FunctionalInterface
public interface PartitionPins {
  /**
   * Pins the count unless one is pinned already.
   *
   * @return the pinned count
   * @throws RuntimeException if it cannot be remembered; the batch then ends unconfirmed
   */
  int pin(String topic, int present);
}
