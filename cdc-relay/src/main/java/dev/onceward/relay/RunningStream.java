package dev.onceward.relay;

import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.capture.ChangeSource;
import dev.onceward.relay.slot.NotPreparedException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A source that runs on a thread of its own. Confined to the thread that started it. */
final class RunningStream {
  private final ChangeSource source;
  private final Preparation preparation;
  private final Thread thread = new Thread(this::run, "relay-stream");
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile @Nullable Throwable failure;
  private boolean closed;
  private boolean streaming;

  /** Makes the handler, on the stream's thread, since that may wait for Kafka. */
  @FunctionalInterface
  interface Preparation {
    ChangeHandler prepare() throws Exception;
  }

  private RunningStream(ChangeSource source, Preparation preparation) {
    this.source = source;
    this.preparation = preparation;
    thread.setDaemon(true);
  }

  static RunningStream start(ChangeSource source, Preparation preparation) {
    RunningStream stream = new RunningStream(source, preparation);
    stream.thread.start();
    return stream;
  }

  private void run() {
    try {
      ChangeHandler handler = preparation.prepare();
      if (mayStream()) {
        source.run(handler);
      }
    } catch (Throwable e) {
      // The thread's outermost guard: whatever it is, the supervisor must learn of it.
      failure = e;
    } finally {
      ended.countDown();
    }
  }

  private synchronized boolean mayStream() {
    streaming = !closed;
    return streaming;
  }

  /** Whether the stream has ended; waits for that as long. */
  boolean awaitEnd(Duration limit) throws InterruptedException {
    return ended.await(limit.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Asks the stream to end. */
  void close(Duration patience) {
    synchronized (this) {
      closed = true;
      if (!streaming) {
        thread.interrupt();
        return;
      }
    }
    source.close(patience);
  }

  /** Throws what the stream ended with; returns if it ended as asked. */
  void rethrow() throws CaptureException, SQLException, NotPreparedException {
    Throwable cause = failure;
    if (cause instanceof SQLException sql) {
      throw sql;
    }
    if (cause instanceof NotPreparedException notPrepared) {
      throw notPrepared;
    }
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
