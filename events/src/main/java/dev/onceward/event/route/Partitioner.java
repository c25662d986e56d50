package dev.onceward.event.route;

import java.nio.charset.StandardCharsets;
import java.util.UUID;
import org.apache.kafka.common.utils.Utils;

/**
 * Which partition of its topic an event goes to. The hash is the murmur2 of Kafka's own default
 * partitioner, so that clients in every language can compute it.
 *
 * <p>The number of partitions is pinned: when it grows, aggregates move to other partitions and
 * their order across the move is lost, so growth is an operator's step after a drain.
 */
public enum Partitioner {
  /**
   * By {@code aggregate_type/aggregate_id}: the events of one aggregate stay in commit order.
   * Failure: a very busy aggregate loads one partition.
   */
  AGGREGATE {
    @Override
    public String keyOf(UUID eventId, String aggregateType, String aggregateId) {
      return aggregateType + '/' + aggregateId;
    }
  },

  /** By event id: the load is even. Failure: the events of one aggregate have no order. */
  EVENT_ID {
    @Override
    public String keyOf(UUID eventId, String aggregateType, String aggregateId) {
      return eventId.toString();
    }
  };

  /**
   * The partition, 0 to {@code partitionCount - 1}.
   *
   * @throws IllegalArgumentException if the count is not positive
   */
  public int partitionOf(OutboxRow row, int partitionCount) {
    return partitionOf(keyOf(row), partitionCount);
  }

  /**
   * The partition of everything with that key.
   *
   * @throws IllegalArgumentException if the count is not positive
   */
  public static int partitionOf(String key, int partitionCount) {
    if (partitionCount <= 0) {
      throw new IllegalArgumentException(
          "A topic has at least one partition, not " + partitionCount);
    }
    byte[] hashed = key.getBytes(StandardCharsets.UTF_8);
    return Utils.toPositive(Utils.murmur2(hashed)) % partitionCount;
  }

  /** What the partition is computed from; events with the same key keep their order. */
  public String keyOf(OutboxRow row) {
    return keyOf(row.id(), row.aggregateType(), row.aggregateId());
  }

  /** The same, of an event of which no more is known. */
  public abstract String keyOf(UUID eventId, String aggregateType, String aggregateId);
}
