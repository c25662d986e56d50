package dev.onceward.relay;

import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.capture.ChangeSource;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A source that runs on a thread of its own. Confined to the thread that started it. */
final class RunningStream {
  private final ChangeSource source;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;

  private RunningStream(ChangeSource source) {
    this.source = source;
  }

  static RunningStream start(ChangeSource source, ChangeHandler handler) {
    RunningStream stream = new RunningStream(source);
    Thread thread = new Thread(() -> stream.run(handler), "relay-stream");
    thread.setDaemon(true);
    thread.start();
    return stream;
  }

  private void run(ChangeHandler handler) {
    try {
      source.run(handler);
    } catch (Throwable e) {
      // The thread's outermost guard: whatever it is, the supervisor must learn of it.
      failure = e;
    } finally {
      ended.countDown();
    }
  }

  /** Whether the stream has ended; waits for that as long. */
  boolean awaitEnd(Duration limit) throws InterruptedException {
    return ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Asks the stream to end. */
  void close(Duration patience) {
    source.close(patience);
  }

  /** Throws what the stream ended with; returns if it ended as asked. */
  void rethrow() throws CaptureException {
    Throwable cause = failure;
    if (cause instanceof CaptureException capture) {
      throw capture;
    }
    if (cause instanceof RuntimeException unchecked) {
      throw unchecked;
    }
    if (cause instanceof Error error) {
      throw error;
    }
  }
}
