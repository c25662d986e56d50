package dev.onceward.relay;

import dev.onceward.relay.slot.SlotStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * What the relay knows of itself. Thread-safe: written by the supervisor and the stream, read by
 * health checks and metrics.
 */
final class RelayStatus {
  private volatile @Nullable String databaseTrouble = "PostgreSQL has not answered yet";
  private volatile @Nullable String streamTrouble = "the stream has not started yet";
  private volatile @Nullable SlotStatus slot;
  private volatile long answeredNanos = System.nanoTime();
  private volatile @Nullable Instant oldestInHand;
  private volatile @Nullable Instant streamDownSince = Instant.now();
  private volatile int partitionsMissing;
  private final AtomicLong restarts = new AtomicLong();

  void databaseAnswered() {
    databaseTrouble = null;
    answeredNanos = System.nanoTime();
  }

  /** The next answer may take that long: the database is asked for something slow. */
  void databaseMayBeSilentFor(Duration limit) {
    answeredNanos = System.nanoTime() + limit.toNanos();
  }

  void slotSeen(SlotStatus seen) {
    slot = seen;
    databaseAnswered();
  }

  void databaseDown(String trouble) {
    databaseTrouble = trouble;
  }

  /** Why PostgreSQL counts as away; empty if its last answer was in order and is fresh. */
  Optional<String> databaseTrouble(Duration freshFor) {
    String trouble = databaseTrouble;
    if (trouble != null) {
      return Optional.of(trouble);
    }
    Duration silent = Duration.ofNanos(System.nanoTime() - answeredNanos);
    return silent.compareTo(freshFor) > 0
        ? Optional.of("PostgreSQL has not answered for " + silent.toSeconds() + " s")
        : Optional.empty();
  }

  void streamUp() {
    streamTrouble = null;
    streamDownSince = null;
  }

  void streamDown(String trouble) {
    streamTrouble = trouble;
    if (streamDownSince == null) {
      streamDownSince = Instant.now();
    }
  }

  Optional<String> streamTrouble() {
    return Optional.ofNullable(streamTrouble);
  }

  Optional<SlotStatus> slot() {
    return Optional.ofNullable(slot);
  }

  void batchInHand(Instant oldestCommit) {
    oldestInHand = oldestCommit;
  }

  void nothingInHand() {
    oldestInHand = null;
  }

  /**
   * The age of the oldest event that is not acknowledged, as far as it is known: of the batch in
   * hand, or at least the time since the stream ended; 0 when all that came is acknowledged.
   */
  double lagSeconds() {
    Instant since = oldestInHand;
    Instant down = streamDownSince;
    if (since == null || (down != null && down.isBefore(since))) {
      since = down == null ? since : down;
    }
    return since == null
        ? 0
        : Math.max(0, Duration.between(since, Instant.now()).toMillis() / 1000.0);
  }

  void partitionsMissing(int count) {
    partitionsMissing = count;
  }

  int partitionsMissing() {
    return partitionsMissing;
  }

  void restarted() {
    restarts.incrementAndGet();
  }

  long restarts() {
    return restarts.get();
  }
}
