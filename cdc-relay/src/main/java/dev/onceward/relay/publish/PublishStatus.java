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
  private volatile boolean clusterAnswers;
  private volatile long answeringSinceNanos = System.nanoTime();

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

  /** The cluster was asked for itself, and answered or did not. */
  void clusterSeen(boolean answers) {
    if (answers && !clusterAnswers) {
      answeringSinceNanos = System.nanoTime();
    }
    clusterAnswers = answers;
  }

  /** For how long the cluster has answered without a break; zero if it counts as away. */
  public Duration clusterAnsweringFor() {
    return clusterAnswers
        ? Duration.ofNanos(System.nanoTime() - answeringSinceNanos)
        : Duration.ZERO;
  }

  /** How many attempts had to be repeated since the start of the process. */
  public long retries() {
    return retries.get();
  }
}
