package dev.onceward.relay;

import dev.onceward.relay.slot.SlotStatus;
import dev.onceward.relay.watermark.Watermarks;
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
  private volatile int partitionsOverdue;
  private volatile boolean paused;
  private volatile boolean standby;
  private volatile @Nullable Watermarks watermarks;
  private volatile long progressedNanos = System.nanoTime();
  private volatile @Nullable Instant deliveredUpTo;
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

  /** An operator has paused the relay; its lag grows meanwhile. */
  void pause() {
    databaseAnswered();
    paused = true;
    streamDown("an operator has paused the relay");
  }

  boolean paused() {
    return paused;
  }

  /** Another relay leads. */
  void standingBy() {
    paused = false;
    databaseAnswered();
    standby = true;
    streamUp();
  }

  boolean standby() {
    return standby;
  }

  void termBegan(Watermarks begun) {
    if (paused) {
      streamDown("the stream has not started yet");
      paused = false;
    }
    standby = false;
    watermarks = begun;
    progressed();
  }

  void termEnded() {
    watermarks = null;
  }

  /** Whether this relay has the lead and streams, or tries to. */
  boolean leading() {
    return watermarks != null;
  }

  /** A batch is done, or a watermark has come back. */
  void progressed() {
    progressedNanos = System.nanoTime();
  }

  /** What the watermark's snapshot sees is delivered. */
  void watermarkReturned(Instant takenAt) {
    deliveredUpTo = takenAt;
    progressed();
  }

  /** Up to when everything is delivered, or empty before the first watermark. */
  Optional<Instant> deliveredUpTo() {
    return Optional.ofNullable(deliveredUpTo);
  }

  /** Whether the stream is thought to run and yet nothing has come for so long. */
  Optional<Duration> stalledFor(Duration limit) {
    Duration silent = Duration.ofNanos(System.nanoTime() - progressedNanos);
    return watermarks != null && silent.compareTo(limit) > 0
        ? Optional.of(silent)
        : Optional.empty();
  }

  void batchInHand(Instant oldestCommit) {
    oldestInHand = oldestCommit;
  }

  void nothingInHand() {
    oldestInHand = null;
  }

  /**
   * How old the oldest thing is that is not delivered, as far as it is known: the batch in hand,
   * the oldest watermark on its way, or at least the time since the stream ended.
   */
  double lagSeconds() {
    Watermarks current = watermarks;
    Duration lag = current == null ? Duration.ZERO : current.lag();
    for (Instant since : new @Nullable Instant[] {oldestInHand, streamDownSince}) {
      Duration age = since == null ? Duration.ZERO : Duration.between(since, Instant.now());
      lag = age.compareTo(lag) > 0 ? age : lag;
    }
    return lag.toMillis() / 1000.0;
  }

  void partitionsMissing(int count) {
    partitionsMissing = count;
  }

  int partitionsMissing() {
    return partitionsMissing;
  }

  void partitionsOverdue(int count) {
    partitionsOverdue = count;
  }

  int partitionsOverdue() {
    return partitionsOverdue;
  }

  void restarted() {
    restarts.incrementAndGet();
  }

  long restarts() {
    return restarts.get();
  }
}
