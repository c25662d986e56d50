package dev.onceward.relay.publish;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * How publishing goes at this moment. Thread-safe: written by the stream, read by health checks.
 */
public final class PublishStatus {
  /**
   * A batch that waits for Kafka.
   *
   * @param events how many it holds
   * @param since how long it has been waiting
   * @param trouble the latest thing that went wrong with it, or null if Kafka has just not answered
   */
  public record Waiting(int events, Duration since, @Nullable String trouble) {}

  private record Batch(int events, long startedNanos, @Nullable String trouble) {}

  private volatile @Nullable Batch batch;
  private final AtomicLong retries = new AtomicLong();
  private boolean clusterAnswers;
  private long answeringSinceNanos;
  private long lastAnsweredNanos;

  /** A batch begins to wait. */
  public void begin(int events) {
    batch = new Batch(events, System.nanoTime(), null);
  }

  /** The batch has met an obstacle and will be tried again. */
  public void retry(String trouble) {
    retries.incrementAndGet();
    Batch current = batch;
    if (current != null) {
      batch = new Batch(current.events, current.startedNanos, trouble);
    }
  }

  /** The batch is acknowledged or given up. */
  public void end() {
    batch = null;
  }

  /** The batch in hand, if there is one. */
  public Optional<Waiting> waiting() {
    Batch current = batch;
    return current == null
        ? Optional.empty()
        : Optional.of(
            new Waiting(
                current.events,
                Duration.ofNanos(System.nanoTime() - current.startedNanos),
                current.trouble));
  }

  /**
   * The cluster was asked for itself, and answered or did not.
   *
   * @param askedNanos when it was asked
   */
  synchronized void clusterSeen(boolean answers, long askedNanos) {
    if (answers && !clusterAnswers) {
      answeringSinceNanos = askedNanos;
    }
    clusterAnswers = answers;
    lastAnsweredNanos = answers ? askedNanos : lastAnsweredNanos;
  }

  /**
   * Whether something has been silent for so long although the cluster answers: it did so without a
   * break for that long, and to a question from after that time. One that has just died does not
   * count as answering.
   *
   * @param sinceNanos when the silence began
   */
  public synchronized boolean isSilent(long sinceNanos, Duration patience) {
    return clusterAnswers
        && lastAnsweredNanos - sinceNanos >= patience.toNanos()
        && lastAnsweredNanos - answeringSinceNanos >= patience.toNanos();
  }

  /** How many attempts had to be repeated since the start of the process. */
  public long retries() {
    return retries.get();
  }
}
