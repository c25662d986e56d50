package dev.onceward.ops.offsets;

import dev.onceward.ops.kafka.KafkaAccess;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.common.TopicPartition;

/**
 * What a partition holds. Immutable.
 *
 * @param beginning the first topic offset that is kept
 * @param end the one that the next record gets
 */
record OffsetRange(long beginning, long end) {

  /** Of these partitions, which exist. */
  static Map<TopicPartition, OffsetRange> of(Admin admin, Collection<TopicPartition> partitions) {
    Map<TopicPartition, Long> beginnings = offsets(admin, partitions, OffsetSpec.earliest());
    Map<TopicPartition, Long> ends = offsets(admin, partitions, OffsetSpec.latest());
    Map<TopicPartition, OffsetRange> ranges = new HashMap<>();
    beginnings.forEach(
        (partition, beginning) ->
            ranges.put(
                partition,
                new OffsetRange(beginning, Math.max(beginning, ends.getOrDefault(partition, 0L)))));
    return ranges;
  }

  private static Map<TopicPartition, Long> offsets(
      Admin admin, Collection<TopicPartition> partitions, OffsetSpec wanted) {
    Map<TopicPartition, OffsetSpec> question = new HashMap<>();
    partitions.forEach(partition -> question.put(partition, wanted));
    Map<TopicPartition, Long> offsets = new HashMap<>();
    KafkaAccess.await(admin.listOffsets(question).all())
        .forEach((partition, found) -> offsets.put(partition, found.offset()));
    return offsets;
  }
}
