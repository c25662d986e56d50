package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The partitions that one Kafka client holds, and the commits of their topic offsets. Confined to
 * the consumer's thread, which also runs the callbacks.
 */
final class Assignment implements ConsumerRebalanceListener {

  private static final Logger log = LoggerFactory.getLogger(Assignment.class);

  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(3);

  /** From this many records in hand a single partition is paused, however free the threads are. */
  private static final int HELD_RECORDS = 10_000;

  private final Consumer<byte[], byte[]> client;
  private final Duration drain;
  private final Map<TopicPartition, PartitionProgress> partitions = new HashMap<>();

  /**
   * @param drain how long a revocation waits for attempts that run
   */
  Assignment(Consumer<byte[], byte[]> client, Duration drain) {
    this.client = client;
    this.drain = drain;
  }

  @Override
  public void onPartitionsAssigned(Collection<TopicPartition> assigned) {
    assigned.forEach(partition -> partitions.put(partition, new PartitionProgress()));
    if (!assigned.isEmpty()) {
      log.info("assigned {}, now holding {} partitions", assigned, partitions.size());
    }
  }

  /**
   * What waits is handed back at once (it is not committed); what runs gets a short while. What
   * then still runs goes on under its lease: the next owner of the partition finds it running
   * elsewhere.
   */
  @Override
  public void onPartitionsRevoked(Collection<TopicPartition> revoked) {
    List<PartitionProgress> leaving = release(revoked);
    long deadline = System.nanoTime() + drain.toNanos();
    try {
      for (PartitionProgress progress : leaving) {
        if (!progress.awaitQuiet(deadline - System.nanoTime())) {
          log.info("some tasks of revoked partitions go on under their leases");
          break;
        }
      }
    } catch (InterruptedException stopping) {
      Thread.currentThread().interrupt();
    }
    commitNow(revoked);
    revoked.forEach(partitions::remove);
  }

  /** Somebody else has them already: nothing may be committed any more. */
  @Override
  public void onPartitionsLost(Collection<TopicPartition> lost) {
    release(lost);
    lost.forEach(partitions::remove);
    if (!lost.isEmpty()) {
      log.warn("lost {}: this member was too slow for its group; records there come again", lost);
    }
  }

  /** The progress of a partition; null if it is not held. */
  @Nullable PartitionProgress progress(TopicPartition partition) {
    return partitions.get(partition);
  }

  /**
   * The progress that a record belongs to; null if its partition is not held. If topic offsets went
   * back, the topic was made anew or cut short: what was known of it means nothing any more.
   */
  @Nullable PartitionProgress progress(TopicPartition partition, long topicOffset) {
    PartitionProgress known = partitions.get(partition);
    if (known == null || !known.hasSeen(topicOffset)) {
      return known;
    }
    log.warn(
        "{} begins again at topic offset {}: it was made anew or cut short, and is read from there",
        partition,
        topicOffset);
    known.release();
    PartitionProgress anew = new PartitionProgress();
    partitions.put(partition, anew);
    return anew;
  }

  /** All partitions held. */
  Set<TopicPartition> held() {
    return Set.copyOf(partitions.keySet());
  }

  /** The partitions with so many records in hand that no more should come. */
  Set<TopicPartition> crowded() {
    Set<TopicPartition> crowded = new HashSet<>();
    partitions.forEach(
        (partition, progress) -> {
          if (progress.held() >= HELD_RECORDS) {
            crowded.add(partition);
          }
        });
    return crowded;
  }

  /** From now on no attempt begins; what runs may end and be committed. */
  void releaseAll() {
    release(partitions.keySet());
  }

  /** Sends what can be committed; an answer that does not come is made up for by the next one. */
  void commitSoon() {
    Map<TopicPartition, OffsetAndMetadata> due = due(partitions.keySet());
    if (due.isEmpty()) {
      return;
    }
    Map<TopicPartition, PartitionProgress> then = Map.copyOf(partitions);
    client.commitAsync(
        due,
        (topicOffsets, failure) -> {
          if (failure == null) {
            noteCommitted(then, topicOffsets);
          } else {
            log.debug("a commit of topic offsets failed and is repeated", failure);
          }
        });
  }

  /** Commits everything that can be, waiting for the answer a short while. */
  void commitNow() {
    commitNow(partitions.keySet());
  }

  private void commitNow(Collection<TopicPartition> which) {
    Map<TopicPartition, OffsetAndMetadata> due = due(which);
    if (due.isEmpty()) {
      return;
    }
    try {
      client.commitSync(due, COMMIT_TIMEOUT);
      noteCommitted(partitions, due);
    } catch (KafkaException failure) {
      log.warn(
          "topic offsets could not be committed ({}); finished records come again and are"
              + " recognised by the state of their operation",
          failure.getClass().getSimpleName());
    }
  }

  private List<PartitionProgress> release(Collection<TopicPartition> which) {
    List<PartitionProgress> released =
        which.stream().filter(partitions::containsKey).map(partitions::get).toList();
    released.forEach(PartitionProgress::release);
    return released;
  }

  private Map<TopicPartition, OffsetAndMetadata> due(Collection<TopicPartition> which) {
    Map<TopicPartition, OffsetAndMetadata> due = new HashMap<>();
    for (TopicPartition partition : which) {
      PartitionProgress progress = partitions.get(partition);
      if (progress != null) {
        progress.toCommit().ifPresent(offset -> due.put(partition, new OffsetAndMetadata(offset)));
      }
    }
    return due;
  }

  private static void noteCommitted(
      Map<TopicPartition, PartitionProgress> partitions,
      Map<TopicPartition, OffsetAndMetadata> topicOffsets) {
    topicOffsets.forEach(
        (partition, committed) -> {
          PartitionProgress progress = partitions.get(partition);
          if (progress != null) {
            progress.committed(committed.offset());
          }
        });
  }
}
