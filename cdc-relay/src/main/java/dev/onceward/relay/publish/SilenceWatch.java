package dev.onceward.relay.publish;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Gives an attempt up that brings no acknowledgement for the patience although the cluster answers:
 * then it is the topic that does not go on. While the cluster is away it waits. Thread-safe.
 */
final class SilenceWatch implements AutoCloseable {
  private static final Duration LOOK_EVERY = Duration.ofMillis(250);

  private final Duration patience;
  private final PublishStatus status;
  private final Runnable giveUp;
  private @Nullable ScheduledExecutorService looking;
  private boolean waiting;
  private boolean gaveUp;
  private volatile long progressNanos;

  /**
   * @param giveUp makes the attempt end; called by the watch's thread
   */
  SilenceWatch(Duration patience, PublishStatus status, Runnable giveUp) {
    this.patience = patience;
    this.status = status;
    this.giveUp = giveUp;
  }

  /** An attempt begins. */
  synchronized void begin() {
    waiting = true;
    gaveUp = false;
    progress();
    if (looking == null) {
      ScheduledExecutorService started =
          Executors.newSingleThreadScheduledExecutor(
              task -> {
                Thread thread = new Thread(task, "relay-silence-watch");
                thread.setDaemon(true);
                return thread;
              });
      var unused =
          started.scheduleWithFixedDelay(
              this::look, LOOK_EVERY.toMillis(), LOOK_EVERY.toMillis(), TimeUnit.MILLISECONDS);
      looking = started;
    }
  }

  /** Something was acknowledged. */
  void progress() {
    progressNanos = System.nanoTime();
  }

  /** The attempt has ended. Whether it was given up. */
  synchronized boolean end() {
    waiting = false;
    return gaveUp;
  }

  private synchronized void look() {
    if (waiting && !gaveUp && status.isSilent(progressNanos, patience)) {
      gaveUp = true;
      giveUp.run();
    }
  }

  /** Ends the watch until the next attempt. */
  @Override
  public synchronized void close() {
    if (looking != null) {
      looking.shutdownNow();
      looking = null;
    }
  }
}
