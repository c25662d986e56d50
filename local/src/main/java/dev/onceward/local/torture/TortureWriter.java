package dev.onceward.local.torture;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A writer on a thread of its own. {@link #start}, {@link #askToEnd} and {@link #awaitEnd} are for
 * one other thread.
 */
abstract class TortureWriter {

  private final Thread thread;
  private volatile boolean askedToEnd;
  private volatile boolean givenUp;
  private volatile @Nullable RuntimeException failure;

  TortureWriter(String name) {
    thread = new Thread(this::run, name);
    thread.setDaemon(true);
  }

  /**
   * Writes until {@link #isAskedToEnd}, and then ends what it has begun until {@link #isGivenUp}.
   */
  abstract void write() throws InterruptedException;

  final String name() {
    return thread.getName();
  }

  final void start() {
    thread.start();
  }

  /** It begins nothing new. */
  final void askToEnd() {
    askedToEnd = true;
  }

  /** Waits for its end; false if what it had begun could not be ended within the limit. */
  final boolean awaitEnd(Duration limit) throws InterruptedException {
    thread.join(Math.max(1, limit.toMillis()));
    boolean ended = !thread.isAlive();
    givenUp = true;
    thread.join();
    RuntimeException bug = failure;
    if (bug != null) {
      throw new IllegalStateException(thread.getName() + " has failed", bug);
    }
    return ended;
  }

  final boolean isAskedToEnd() {
    return askedToEnd;
  }

  final boolean isGivenUp() {
    return givenUp;
  }

  private void run() {
    try {
      write();
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException bug) {
      failure = bug; // thrown by awaitEnd
    }
  }
}
