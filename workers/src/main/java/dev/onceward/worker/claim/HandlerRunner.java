package dev.onceward.worker.claim;

import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Calls handlers on threads of their own, so that one that does not return costs its thread and
 * nothing else: the attempt ends with its time-out. Thread-safe.
 */
final class HandlerRunner implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(HandlerRunner.class);

  private final ExecutorService threads;
  private final AtomicInteger waitedFor = new AtomicInteger();
  private final AtomicInteger running = new AtomicInteger();

  HandlerRunner() {
    AtomicInteger number = new AtomicInteger();
    threads =
        Executors.newCachedThreadPool(
            work -> {
              Thread thread = new Thread(work, "handler-" + number.incrementAndGet());
              thread.setDaemon(true);
              return thread;
            });
  }

  /**
   * Runs the handler until it returns or the attempt's outcome is decided otherwise.
   *
   * @throws InterruptedException if the calling thread is to stop; the handler is interrupted too
   */
  Outcome run(TaskRun run, EventHandler handler, Duration timeout) throws InterruptedException {
    Map<String, String> context = MDC.getCopyOfContextMap();
    waitedFor.incrementAndGet();
    Future<?> call =
        threads.submit(
            () -> {
              running.incrementAndGet();
              if (context != null) {
                MDC.setContextMap(context);
              }
              try {
                end(run, call(run, handler));
              } finally {
                MDC.clear();
                running.decrementAndGet();
              }
            });
    try {
      return run.outcome().get(timeout.toMillis(), TimeUnit.MILLISECONDS);
    } catch (TimeoutException tooLong) {
      run.outcome()
          .complete(
              new Outcome.Retriable(
                  "HANDLER_TIMEOUT", "The attempt took longer than " + timeout + ".", null));
      return run.outcome().join();
    } catch (ExecutionException impossible) {
      throw new IllegalStateException("an outcome is never exceptional", impossible);
    } finally {
      waitedFor.decrementAndGet();
      call.cancel(true);
    }
  }

  /** How many handlers still run although nobody waits for them any more. */
  int abandoned() {
    return Math.max(0, running.get() - waitedFor.get());
  }

  /** A success that comes too late is for nobody: what it holds is given back here. */
  private static void end(TaskRun run, Outcome outcome) {
    if (!run.outcome().complete(outcome) && outcome instanceof Outcome.Succeeded late) {
      late.result().released();
    }
  }

  private static Outcome call(TaskRun run, EventHandler handler) {
    try {
      HandlerResult result = handler.handle(run);
      return result == null
          ? new Outcome.Retriable("HANDLER_ERROR", "The handler returned nothing.", null)
          : new Outcome.Succeeded(result);
    } catch (PermanentTaskException permanent) {
      return new Outcome.Failed(permanent.code(), permanent.summary());
    } catch (RetriableTaskException retriable) {
      return new Outcome.Retriable(retriable.code(), retriable.summary(), retriable.notBefore());
    } catch (InterruptedException over) {
      return new Outcome.Retriable("HANDLER_INTERRUPTED", "The handler was interrupted.", null);
    } catch (Throwable defect) { // an Error of a handler is the handler's, not the process's
      String what = withoutMessages(defect);
      log.warn("the handler failed unexpectedly: {}", what);
      return new Outcome.Retriable("HANDLER_ERROR", "The handler failed: " + what, null);
    }
  }

  /** Class and place of a failure and its causes; the messages may hold payload or secrets. */
  private static String withoutMessages(Throwable failure) {
    StringBuilder text = new StringBuilder();
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < 4; depth++, cause = cause.getCause()) {
      text.append(depth == 0 ? "" : ", caused by ").append(cause.getClass().getName());
      if (cause.getStackTrace().length > 0) {
        text.append(" at ").append(cause.getStackTrace()[0]);
      }
    }
    return text.toString();
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
