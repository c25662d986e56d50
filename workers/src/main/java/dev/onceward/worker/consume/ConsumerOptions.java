package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

/**
 * How a consumer takes part in its group. Immutable.
 *
 * @param kind of a consumer group or of a share group
 * @param clientProperties passed through to the Kafka client; what the guarantees rest on is ours
 *     and wins over them (see {@link ConsumerProperties})
 * @param groupId the consumer group
 * @param topics what to subscribe to; not empty
 * @param concurrency how many deliveries are attempted at a time; at least 1
 * @param bufferRecords at this many records in hand the partitions are paused; at least 1
 * @param drain how long a revocation waits for what runs
 */
public record ConsumerOptions(
    ConsumerKind kind,
    Map<String, String> clientProperties,
    String groupId,
    Set<String> topics,
    int concurrency,
    int bufferRecords,
    Duration drain) {

  /** Copies the collections and checks the ranges. */
  public ConsumerOptions {
    clientProperties = Map.copyOf(clientProperties);
    topics = Set.copyOf(topics);
    if (topics.isEmpty()) {
      throw new IllegalArgumentException("no topic to subscribe to: no handler is registered");
    }
    if (concurrency < 1 || bufferRecords < 1) {
      throw new IllegalArgumentException(
          "concurrency (%d) and buffer records (%d) must be at least 1"
              .formatted(concurrency, bufferRecords));
    }
  }
}
