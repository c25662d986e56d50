package dev.onceward.ops.kafka;

import dev.onceward.process.StartupException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads stretches of partitions by assignment: no group, nothing is committed. Confined to the
 * consumer's thread.
 */
public final class PartitionScan {
  private static final Duration POLL = Duration.ofMillis(200);

  /** How long the broker may give no record of a stretch that has some. */
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Consumer<byte[], byte[]> consumer;

  /**
   * Reads with that consumer.
   *
   * @param consumer without a group; stays the caller's
   */
  public PartitionScan(Consumer<byte[], byte[]> consumer) {
    this.consumer = consumer;
  }

  /** Takes one record; those of a partition come in its order. */
  @FunctionalInterface
  public interface Visitor<E extends Exception> {
    void visit(ConsumerRecord<byte[], byte[]> record) throws E;
  }

  /**
   * Where to begin for all that was written since a time, by the records' own timestamps.
   *
   * @param since partition → Unix milliseconds
   * @param ends partition → offset behind the last record
   */
  public Map<TopicPartition, Long> startsSince(
      Map<TopicPartition, Long> since, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> starts = new HashMap<>();
    if (since.isEmpty()) {
      return starts;
    }
    for (Map.Entry<TopicPartition, OffsetAndTimestamp> one :
        consumer.offsetsForTimes(since).entrySet()) {
      // Null: nothing was written since.
      starts.put(
          one.getKey(),
          one.getValue() == null ? ends.getOrDefault(one.getKey(), 0L) : one.getValue().offset());
    }
    return starts;
  }

  /**
   * Reads each partition from its start up to its end. What the topic's retention removes meanwhile
   * is passed over.
   *
   * @param starts partition → first offset
   * @param ends partition → offset behind the last; a partition without one is not read
   * @param goOn asked before each portion
   * @return whether all was read
   * @throws StartupException if the broker stops answering
   */
  public <E extends Exception> boolean read(
      Map<TopicPartition, Long> starts,
      Map<TopicPartition, Long> ends,
      BooleanSupplier goOn,
      Visitor<E> visitor)
      throws E {
    Set<TopicPartition> unread = new HashSet<>(starts.keySet());
    unread.removeIf(
        partition -> starts.getOrDefault(partition, 0L) >= ends.getOrDefault(partition, 0L));
    consumer.assign(unread);
    consumer.resume(unread); // A partition that is assigned again stays paused otherwise.
    unread.forEach(partition -> consumer.seek(partition, starts.getOrDefault(partition, 0L)));
    long progressNanos = System.nanoTime();
    while (!unread.isEmpty() && goOn.getAsBoolean()) {
      ConsumerRecords<byte[], byte[]> records = poll();
      for (ConsumerRecord<byte[], byte[]> record : records) {
        if (record.offset() < ends.getOrDefault(partition(record), 0L)) {
          visitor.visit(record);
        }
      }
      boolean reached = unread.removeIf(partition -> isReached(partition, ends));
      if (reached || !records.isEmpty()) {
        progressNanos = System.nanoTime();
        pauseAllBut(unread);
      } else if (System.nanoTime() - progressNanos > PATIENCE.toNanos()) {
        throw StartupException.unavailable(
            "Kafka gives no record of " + unread.iterator().next() + " any more",
            "Check that the brokers run, and that this login may read the topic",
            null);
      }
    }
    return unread.isEmpty();
  }

  private ConsumerRecords<byte[], byte[]> poll() {
    try {
      return consumer.poll(POLL);
    } catch (OffsetOutOfRangeException removed) {
      consumer.seekToBeginning(removed.partitions());
      return ConsumerRecords.empty();
    }
  }

  private boolean isReached(TopicPartition partition, Map<TopicPartition, Long> ends) {
    return consumer.position(partition) >= ends.getOrDefault(partition, 0L);
  }

  private void pauseAllBut(Set<TopicPartition> unread) {
    Set<TopicPartition> done = new HashSet<>(consumer.assignment());
    done.removeAll(unread);
    consumer.pause(done);
  }

  private static TopicPartition partition(ConsumerRecord<byte[], byte[]> record) {
    return new TopicPartition(record.topic(), record.partition());
  }
}
