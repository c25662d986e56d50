package dev.onceward.api.http;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Bounds a whole request, from its headers to the last byte of its answer. The server's idle
 * time-out ends a client that stops; this ends one that trickles. Thread-safe.
 *
 * <p>A body that is not complete in time is answered 408. A client that does not take its answer
 * loses the connection a little later; what it asked for may have been done, and the same
 * idempotency key gets it the answer.
 */
final class RequestDeadline extends Handler.Wrapper {
  private static final Duration SLACK = Duration.ofSeconds(1);
  private final Duration timeout;

  RequestDeadline(Duration timeout) {
    this.timeout = timeout;
  }

  @Override
  public boolean handle(Request request, Response response, Callback callback) throws Exception {
    EndPoint endPoint = request.getConnectionMetaData().getConnection().getEndPoint();
    Scheduler.Task cut =
        request
            .getComponents()
            .getScheduler()
            .schedule(
                () -> endPoint.close(new TimeoutException("the request took too long")),
                timeout.plus(SLACK).toMillis(),
                TimeUnit.MILLISECONDS);
    Request.addCompletionListener(request, failure -> cut.cancel());
    return super.handle(new Timed(request, timeout), response, callback);
  }

  /** Reads no further once the time is over. */
  private static final class Timed extends Request.Wrapper {
    private final long deadlineNanos;

    Timed(Request request, Duration timeout) {
      super(request);
      this.deadlineNanos = System.nanoTime() + timeout.toNanos();
    }

    @Override
    public Content.Chunk read() {
      return System.nanoTime() - deadlineNanos > 0
          ? Content.Chunk.from(new TimeoutException("the body took too long"), true)
          : super.read();
    }
  }
}
