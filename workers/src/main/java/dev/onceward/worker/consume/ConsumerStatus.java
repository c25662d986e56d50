package dev.onceward.worker.consume;

import java.time.Clock;
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
  private volatile Map<TopicPartition, Long> oldestMillis = Map.of();
  private volatile long lastProgressNanos = System.nanoTime();

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

  /**
   * Notes what is not finished.
   *
   * @param records how many, per partition held
   * @param oldest the time of the oldest one in hand, in milliseconds since the epoch; absent if
   *     none is
   */
  void lag(Map<TopicPartition, Long> records, Map<TopicPartition, Long> oldest) {
    if (records.values().stream().allMatch(waiting -> waiting == 0)) {
      lastProgressNanos = System.nanoTime(); // nothing to do is no standstill
    }
    lagRecords = Map.copyOf(records);
    oldestMillis = Map.copyOf(oldest);
  }

  /** A record was dealt with. */
  void progressed() {
    lastProgressNanos = System.nanoTime();
  }

  /** For how long nothing was finished although something waited; zero while nothing waits. */
  public Duration standstill() {
    boolean idle = lagRecords.values().stream().allMatch(waiting -> waiting == 0);
    return idle ? Duration.ZERO : Duration.ofNanos(System.nanoTime() - lastProgressNanos);
  }

  /** Records of a topic that are not finished, of the partitions held. */
  public long lagRecords(String topic) {
    return lagRecords.entrySet().stream()
        .filter(entry -> entry.getKey().topic().equals(topic))
        .mapToLong(Map.Entry::getValue)
        .sum();
  }

  /** How long ago the oldest unfinished record of a topic was sent; zero if there is none. */
  public Duration lag(String topic, Clock clock) {
    return oldestMillis.entrySet().stream()
        .filter(entry -> entry.getKey().topic().equals(topic))
        .map(entry -> Duration.ofMillis(Math.max(0, clock.millis() - entry.getValue())))
        .max(Duration::compareTo)
        .orElse(Duration.ZERO);
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
