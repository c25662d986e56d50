package dev.onceward.relay.publish;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/** Reads stretches of partitions. Stateless. */
public final class PartitionReader {
  private static final Duration POLL = Duration.ofMillis(500);

  private PartitionReader() {}

  /**
   * Reads each partition from its start to its end.
   *
   * @param starts partition → first offset
   * @param ends partition → offset behind the last; a partition without one is not read
   * @param goOn asked before each portion
   * @param visitor takes each record, in the order of its partition
   * @return whether all was read
   * @throws org.apache.kafka.common.KafkaException if Kafka does not answer
   */
  public static boolean read(
      KafkaConsumer<byte[], byte[]> client,
      Map<TopicPartition, Long> starts,
      Map<TopicPartition, Long> ends,
      BooleanSupplier goOn,
      Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    Set<TopicPartition> unread = new HashSet<>();
    starts.forEach(
        (partition, start) -> {
          if (start < ends.getOrDefault(partition, 0L)) {
            unread.add(partition);
          }
        });
    client.assign(unread);
    unread.forEach(partition -> client.seek(partition, starts.getOrDefault(partition, 0L)));
    while (!unread.isEmpty() && goOn.getAsBoolean()) {
      client.poll(POLL).forEach(visitor);
      unread.removeIf(partition -> client.position(partition) >= ends.getOrDefault(partition, 0L));
    }
    return unread.isEmpty();
  }
}
