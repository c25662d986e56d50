package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/** What a consumer's thread last knew, for health and metrics. Thread-safe. */
public final class ConsumerStatus {

  private volatile long lastPassNanos = System.nanoTime();
  private volatile @Nullable String failure;
  private volatile Map<TopicPartition, Long> lagRecords = Map.of();

  private final AtomicLong missedRecords = new AtomicLong();

  ConsumerStatus() {}

  void missed(long records) {
    missedRecords.addAndGet(records);
  }

  /** Records that Kafka had deleted before they were read, since the start. */
  public long missedRecords() {
    return missedRecords.get();
  }

  void passed() {
    lastPassNanos = System.nanoTime();
    failure = null;
  }

  void failed(String reason) {
    failure = reason;
  }

  void lag(Map<TopicPartition, Long> records) {
    lagRecords = Map.copyOf(records);
  }

  /** How long ago the poll loop last came round; seconds at most while all is well. */
  public Duration sinceLastPass() {
    return Duration.ofNanos(System.nanoTime() - lastPassNanos);
  }

  /** Why the Kafka client was last given up; null once a new one polls. Holds no secret. */
  public @Nullable String failure() {
    return failure;
  }

  /** Records that are not finished, per partition held; partitions not known yet are absent. */
  public Map<TopicPartition, Long> lagRecords() {
    return lagRecords;
  }
}
