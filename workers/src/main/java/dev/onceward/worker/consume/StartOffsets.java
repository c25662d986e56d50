package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Says where to read on in a partition whose topic offset is unknown or no longer there: at the
 * earliest record that is kept, and never silently past one that is not. Confined to the consumer's
 * thread.
 */
final class StartOffsets {

  private static final Logger log = LoggerFactory.getLogger(StartOffsets.class);
  private static final Duration ANSWER = Duration.ofSeconds(5);

  private final Consumer<byte[], byte[]> client;
  private final ConsumerStatus status;

  StartOffsets(Consumer<byte[], byte[]> client, ConsumerStatus status) {
    this.client = client;
    this.status = status;
  }

  /** Goes to the earliest record of the partitions that a poll complained about. */
  void beginAnew(InvalidOffsetException complaint) {
    Map<TopicPartition, Long> wanted =
        complaint instanceof OffsetOutOfRangeException gone
            ? gone.offsetOutOfRangePartitions()
            : Map.of();
    Set<TopicPartition> partitions = new HashSet<>(complaint.partitions());
    client
        .beginningOffsets(partitions, ANSWER)
        .forEach((partition, earliest) -> begin(partition, earliest, wanted.get(partition)));
  }

  private void begin(TopicPartition partition, long earliest, @Nullable Long wanted) {
    client.seek(partition, earliest);
    long readUpTo = wanted == null ? 0 : wanted;
    if (earliest > readUpTo) {
      status.missed(earliest - readUpTo);
      log.error(
          "the records {} to {} of {} were deleted before this group read them; tasks whose events"
              + " they held are taken up from the table while the outbox keeps those events; let"
              + " topics keep records for longer than workers may be away",
          readUpTo,
          earliest - 1,
          partition);
    } else if (wanted != null) {
      log.warn(
          "{} has no topic offset {} any more: it was made anew or cut short, and is read from its"
              + " beginning",
          partition,
          wanted);
    }
  }
}
