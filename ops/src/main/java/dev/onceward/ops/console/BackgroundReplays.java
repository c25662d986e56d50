package dev.onceward.ops.console;

import dev.onceward.ops.Refusal;
import dev.onceward.ops.replay.ReplayDesk;
import dev.onceward.ops.replay.ReplayReport;
import dev.onceward.ops.replay.StopSignal;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replays that run in this process, a thread each. Thread-safe. Closing it stops them where they
 * can be taken up again.
 */
final class BackgroundReplays implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(BackgroundReplays.class);
  private static final int MOST = 4;
  private static final Duration BEGIN_LIMIT = Duration.ofSeconds(60);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(20);

  private final Semaphore free = new Semaphore(MOST);
  private final Map<UUID, StopSignal> running = new ConcurrentHashMap<>();
  private final ExecutorService threads =
      Executors.newCachedThreadPool(task -> new Thread(task, "console-replay"));

  /** Runs to the end over a desk, which is closed then. */
  @FunctionalInterface
  interface Work {
    ReplayReport run(ReplayDesk desk, StopSignal stop, ReplayDesk.Watcher watcher)
        throws SQLException, InterruptedException;
  }

  /**
   * Starts one; returns its id when it has begun.
   *
   * @param desk given away: it is closed at the end, or now if this fails
   * @throws SQLException as it failed before it began
   */
  UUID start(ReplayDesk desk, Work work) throws SQLException, InterruptedException {
    if (!free.tryAcquire()) {
      desk.close();
      throw Refusal.of(
          MOST + " replays run in this console already, so nothing was started",
          "Wait for one of them, or cancel one");
    }
    CompletableFuture<UUID> begun = new CompletableFuture<>();
    threads.execute(() -> run(desk, work, begun));
    try {
      return begun.get(BEGIN_LIMIT.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      Throwable cause = e.getCause();
      if (cause instanceof SQLException sql) {
        throw sql;
      }
      if (cause instanceof RuntimeException known) {
        throw known;
      }
      throw new IllegalStateException(cause);
    } catch (TimeoutException slow) {
      throw new StartupException(
          ExitCode.UNAVAILABLE,
          "the replay has not begun within " + BEGIN_LIMIT.toSeconds() + " s",
          "See the list of replays; it may still begin",
          slow);
    }
  }

  private void run(ReplayDesk desk, Work work, CompletableFuture<UUID> begun) {
    StopSignal stop = StopSignal.byHand();
    try (desk) {
      work.run(
          desk,
          stop,
          new ReplayDesk.Watcher() {
            @Override
            public void begins(UUID id, long chosenCount) {
              running.put(id, stop);
              begun.complete(id);
            }

            @Override
            public void reached(long doneCount) {
              // The table says it to whoever looks.
            }
          });
    } catch (SQLException | RuntimeException e) {
      if (!begun.completeExceptionally(e)) {
        LOG.warn("replay {} has ended: {}", begun.join(), e.toString());
      }
    } catch (InterruptedException e) {
      begun.completeExceptionally(e);
      Thread.currentThread().interrupt();
    } finally {
      free.release();
      running.values().remove(stop);
    }
  }

  /** Wishes that it ends; false if it does not run here. */
  boolean cancel(UUID id) {
    StopSignal stop = running.get(id);
    if (stop != null) {
      stop.request();
    }
    return stop != null;
  }

  /** Whether it runs in this process. */
  boolean isRunning(UUID id) {
    return running.containsKey(id);
  }

  @Override
  public void close() {
    running.values().forEach(StopSignal::request);
    threads.shutdown();
    try {
      if (!threads.awaitTermination(STOP_LIMIT.toSeconds(), TimeUnit.SECONDS)) {
        LOG.warn("a replay did not stop in time; it can be resumed all the same");
        threads.shutdownNow();
      }
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
  }
}
