package dev.onceward.local.demo;

import dev.onceward.local.cluster.LocalCluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Looks at an operation's row on a thread of its own until it has seen it run: the row keeps the
 * time of its last change only. Thread-safe.
 */
final class ClaimWatch implements AutoCloseable {

  private static final Duration INTERVAL = Duration.ofMillis(3);
  private static final Duration STOP_LIMIT = Duration.ofSeconds(10);

  private final Thread thread;
  private @Nullable Instant claimedAt;

  ClaimWatch(LocalCluster cluster, UUID operationId) {
    thread = new Thread(() -> watch(cluster, operationId), "claim-watch");
    thread.setDaemon(true);
    thread.start();
  }

  /** When a worker claimed the operation; null when that was too quick to be seen. */
  synchronized @Nullable Instant claimedAt() {
    return claimedAt;
  }

  @Override
  public void close() throws InterruptedException {
    thread.interrupt();
    thread.join(STOP_LIMIT.toMillis());
  }

  private void watch(LocalCluster cluster, UUID operationId) {
    try (Connection connection = cluster.connectAsOps()) {
      PipelineFacts facts = new PipelineFacts(connection);
      OperationTimes times = facts.times(operationId);
      while (times != null && times.state().equals("queued")) {
        Thread.sleep(INTERVAL.toMillis());
        times = facts.times(operationId);
      }
      if (times != null && times.state().equals("running")) {
        synchronized (this) {
          claimedAt = times.updatedAt();
        }
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    } catch (SQLException away) {
      // The demonstration's own connection fails as well, and says so.
      return;
    }
  }
}
