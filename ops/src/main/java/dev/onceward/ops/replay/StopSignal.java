package dev.onceward.ops.replay;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The wish of SIGINT or SIGTERM that the work ends where it can be taken up again. Until {@link
 * #close} the process waits for that, though not for ever. Thread-safe.
 */
public final class StopSignal implements AutoCloseable {
  private static final long GRACE_SECONDS = 45;

  private final CountDownLatch requested = new CountDownLatch(1);
  private final CountDownLatch ended = new CountDownLatch(1);
  private final Thread hook = new Thread(this::hold, "replay-stop");

  /** Listens to the signals of this process. */
  static StopSignal ofProcess() {
    StopSignal signal = new StopSignal();
    Runtime.getRuntime().addShutdownHook(signal.hook);
    return signal;
  }

  /** Listens to nobody but whoever calls {@link #request}. */
  public static StopSignal byHand() {
    return new StopSignal();
  }

  /** Wishes it. Idempotent. */
  public void request() {
    requested.countDown();
  }

  private void hold() {
    requested.countDown();
    try {
      if (!ended.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
        System.err.println("onceward: not ended in time; the replay can be resumed all the same");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isRequested() {
    return requested.getCount() == 0;
  }

  /** Waits that long, or shorter; returns whether a stop was requested. */
  boolean await(Duration time) throws InterruptedException {
    return requested.await(time.toNanos(), TimeUnit.NANOSECONDS);
  }

  /** The work has ended, and everything about it is said. */
  @Override
  public void close() {
    ended.countDown();
    if (!isRequested()) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        // It runs by now, and ends at once.
      }
    }
  }
}
