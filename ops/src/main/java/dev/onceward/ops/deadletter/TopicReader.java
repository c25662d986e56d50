package dev.onceward.ops.deadletter;

import dev.onceward.ops.kafka.KafkaAccess;
import dev.onceward.process.StartupException;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndTimestamp;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Reads partitions up to where they end now, without a group: nothing is committed. Confined to one
 * thread.
 */
final class TopicReader implements AutoCloseable {

  private static final Duration POLL = Duration.ofMillis(200);

  /** So many records are read and dropped rather than looked up anew. */
  private static final long READ_ON = 500;

  private final Consumer<byte[], byte[]> consumer;

  TopicReader(KafkaAccess kafka) {
    consumer = kafka.consumer();
  }

  /** Takes records; those of one partition in their order. */
  @FunctionalInterface
  interface Sink {
    void accept(ConsumerRecord<byte[], byte[]> record) throws SQLException;
  }

  /**
   * Everything that is there now.
   *
   * @param since only records written since; null for all
   */
  void readAll(Collection<TopicPartition> partitions, @Nullable Instant since, Sink sink)
      throws SQLException {
    Map<TopicPartition, Long> ends = consumer.endOffsets(partitions);
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
    if (since != null) {
      long sinceMillis = since.toEpochMilli();
      Map<TopicPartition, Long> times = new HashMap<>();
      partitions.forEach(partition -> times.put(partition, sinceMillis));
      for (Map.Entry<TopicPartition, OffsetAndTimestamp> one :
          consumer.offsetsForTimes(times).entrySet()) {
        // Null where nothing is as new.
        OffsetAndTimestamp first = one.getValue();
        consumer.seek(one.getKey(), first == null ? of(ends, one.getKey()) : first.offset());
      }
    }
    Set<TopicPartition> open = new HashSet<>(partitions);
    pollUntilDone(
        open,
        partition -> consumer.position(partition) >= of(ends, partition),
        record -> {
          if (record.offset() < of(ends, new TopicPartition(record.topic(), record.partition()))) {
            sink.accept(record);
          }
        });
  }

  /** The records at these topic offsets, as far as they are still there. */
  void readAt(Map<TopicPartition, NavigableSet<Long>> places, Sink sink) throws SQLException {
    Map<TopicPartition, Long> ends = consumer.endOffsets(places.keySet());
    Map<TopicPartition, Long> beginnings = consumer.beginningOffsets(places.keySet());
    consumer.assign(places.keySet());
    places.forEach(
        (partition, wanted) ->
            consumer.seek(partition, Math.max(wanted.first(), of(beginnings, partition))));
    pollUntilDone(
        new HashSet<>(places.keySet()),
        partition -> {
          long position = consumer.position(partition);
          Long next = of(places, partition).ceiling(position);
          if (next == null || next >= of(ends, partition)) {
            return true;
          }
          if (next - position > READ_ON) {
            consumer.seek(partition, next);
          }
          return false;
        },
        record -> {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          if (of(places, partition).contains(record.offset())) {
            sink.accept(record);
          }
        });
  }

  /** Whether nothing more is wanted of a partition. */
  @FunctionalInterface
  private interface End {
    boolean isReached(TopicPartition partition);
  }

  private void pollUntilDone(Set<TopicPartition> open, End end, Sink sink) throws SQLException {
    long progressNanos = System.nanoTime();
    pauseReached(open, end);
    while (!open.isEmpty()) {
      ConsumerRecords<byte[], byte[]> records = consumer.poll(POLL);
      for (ConsumerRecord<byte[], byte[]> record : records) {
        sink.accept(record);
      }
      int before = open.size();
      pauseReached(open, end);
      if (!records.isEmpty() || open.size() < before) {
        progressNanos = System.nanoTime();
      } else if (System.nanoTime() - progressNanos > KafkaAccess.PATIENCE.toNanos()) {
        throw StartupException.unavailable(
            "Kafka gives no more records of " + open.iterator().next(),
            "Check that the brokers run, and that this login may read the topic",
            null);
      }
    }
  }

  private void pauseReached(Set<TopicPartition> open, End end) {
    List<TopicPartition> reached = open.stream().filter(end::isReached).toList();
    consumer.pause(reached);
    reached.forEach(open::remove);
  }

  private static <T> T of(Map<TopicPartition, T> all, TopicPartition partition) {
    return Objects.requireNonNull(all.get(partition));
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(Duration.ZERO));
  }
}
