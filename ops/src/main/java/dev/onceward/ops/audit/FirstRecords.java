package dev.onceward.ops.audit;

import dev.onceward.ops.kafka.PartitionScan;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * From when on each partition still holds its records. Asked only where something is absent.
 * Confined to one thread.
 */
final class FirstRecords {
  private final PartitionScan scan;
  private final Map<TopicPartition, Long> beginnings;
  private final Map<TopicPartition, Long> ends;
  private final Map<TopicPartition, Optional<Instant>> known = new HashMap<>();

  FirstRecords(
      PartitionScan scan, Map<TopicPartition, Long> beginnings, Map<TopicPartition, Long> ends) {
    this.scan = scan;
    this.beginnings = beginnings;
    this.ends = ends;
  }

  /**
   * Whether a record of that time may have been in the partition and be gone: its beginning has
   * been removed, and what is left is younger.
   */
  boolean mayBeGone(TopicPartition partition, Instant written) {
    if (beginnings.getOrDefault(partition, 0L) == 0) {
      return false;
    }
    Optional<Instant> first = known.computeIfAbsent(partition, this::read);
    return first.isEmpty() || written.isBefore(first.get());
  }

  /** The time of the first record; empty if none is left. */
  private Optional<Instant> read(TopicPartition partition) {
    @Nullable Instant[] first = new Instant[1];
    scan.read(
        Map.of(partition, beginnings.getOrDefault(partition, 0L)),
        Map.of(partition, ends.getOrDefault(partition, 0L)),
        () -> first[0] == null,
        record -> {
          if (first[0] == null) {
            first[0] = Instant.ofEpochMilli(record.timestamp());
          }
        });
    return Optional.ofNullable(first[0]);
  }
}
