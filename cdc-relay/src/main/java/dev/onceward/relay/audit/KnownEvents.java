package dev.onceward.relay.audit;

import dev.onceward.db.relay.Snapshot;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka held beyond the stored positions when the term began. It is needed until everything
 * that was running at the first audit has finished: by then each of these events has either come
 * again through the stream or been seen by an audit. Not thread-safe: guarded by its ledger.
 */
final class KnownEvents {
  /**
   * One that stays open has not committed and so is not in Kafka; only a commit that waits for a
   * synchronous standby is there and not to be seen, and is not waited for longer than this.
   */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final KafkaPositions ends;
  private final Map<TopicPartition, Long> starts;
  private EventIds ids;
  private boolean needed = true;
  private @Nullable Snapshot first;
  private long firstNanos;

  KnownEvents(EventIds ids, Map<TopicPartition, Long> starts, KafkaPositions ends) {
    this.ids = ids;
    this.starts = Map.copyOf(starts);
    this.ends = ends;
  }

  /** Where each partition ended. */
  KafkaPositions ends() {
    return ends;
  }

  boolean contains(UUID id) {
    return ids.contains(id);
  }

  int size() {
    return ids.size();
  }

  /** An audit has come that far. */
  void audited(Snapshot snapshot) {
    Snapshot horizon = first;
    if (horizon == null) {
      first = snapshot;
      firstNanos = System.nanoTime();
      horizon = snapshot;
    }
    if (needed
        && (finished(horizon, snapshot) || System.nanoTime() - firstNanos > LONGEST.toNanos())) {
      needed = false;
      ids = new EventIds();
    }
  }

  private static boolean finished(Snapshot horizon, Snapshot now) {
    for (long xid : horizon.running()) {
      if (!now.sees(xid)) {
        return false;
      }
    }
    return true;
  }

  /** While they are needed, the next term must read them again. */
  void lowerTo(KafkaPositions positions) {
    if (needed) {
      starts.forEach(positions::lower);
    }
  }
}
