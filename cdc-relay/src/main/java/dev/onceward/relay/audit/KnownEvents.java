package dev.onceward.relay.audit;

import dev.onceward.db.relay.Snapshot;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka held beyond the stored positions when the term began: the newest of it by its ids, for
 * that is what the slot sends again, the rest as a stretch. It is needed until everything that was
 * running at the first audit has finished: by then each of these events has either come again
 * through the stream or been seen by an audit. Not thread-safe: guarded by its ledger.
 */
final class KnownEvents {
  /**
   * One that stays open has not committed and so is not in Kafka; only a commit that waits for a
   * synchronous standby is there and not to be seen, and is not waited for longer than this.
   */
  private static final Duration LONGEST = Duration.ofMinutes(1);

  private final KafkaPositions ends;
  private final Map<TopicPartition, Long> starts;
  private final @Nullable Stretch older;
  private EventIds ids;
  private boolean needed = true;
  private @Nullable Snapshot first;
  private long firstNanos;

  /**
   * Makes a note of it.
   *
   * @param ids the newest events
   * @param newest partition → from where these are they
   * @param starts partition → from where there is anything
   * @param ends where each partition ended
   */
  KnownEvents(
      EventIds ids,
      Map<TopicPartition, Long> newest,
      Map<TopicPartition, Long> starts,
      KafkaPositions ends) {
    this.ids = ids;
    this.starts = Map.copyOf(starts);
    this.ends = ends;
    this.older = newest.equals(starts) ? null : Stretch.ofAny(starts, newest);
  }

  /**
   * From where the newest records begin, no more than the limit together: short partitions whole,
   * of the others alike.
   */
  static Map<TopicPartition, Long> newest(
      Map<TopicPartition, Long> starts, Map<TopicPartition, Long> ends, long limit) {
    Map<TopicPartition, Long> lengths = new HashMap<>();
    starts.forEach(
        (partition, start) ->
            lengths.put(partition, Math.max(0, ends.getOrDefault(partition, 0L) - start)));
    List<Map.Entry<TopicPartition, Long>> byLength = new ArrayList<>(lengths.entrySet());
    byLength.sort(Map.Entry.comparingByValue(Comparator.naturalOrder()));
    Map<TopicPartition, Long> newest = new HashMap<>();
    long room = limit;
    int left = byLength.size();
    for (Map.Entry<TopicPartition, Long> partition : byLength) {
      long length = partition.getValue();
      long share = Math.min(length, room / left);
      newest.put(partition.getKey(), starts.getOrDefault(partition.getKey(), 0L) + length - share);
      room -= share;
      left--;
    }
    return newest;
  }

  /** Where each partition ended. */
  KafkaPositions ends() {
    return ends;
  }

  boolean contains(UUID id) {
    return ids.contains(id);
  }

  /** Those whose ids are not held, while they are needed. */
  Optional<Stretch> older() {
    return needed ? Optional.ofNullable(older) : Optional.empty();
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
