package dev.onceward.ops.console.session;

import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Ends sessions that are over, so that their connections go. Thread-safe. */
public final class SessionExpiry implements AutoCloseable {
  private static final long INTERVAL_SECONDS = 30;

  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "console-sessions");
            made.setDaemon(true);
            return made;
          });

  private SessionExpiry() {}

  /** Looks through them from now on. */
  public static SessionExpiry start(Sessions sessions) {
    SessionExpiry expiry = new SessionExpiry();
    var unused =
        expiry.thread.scheduleWithFixedDelay(
            sessions::expire, INTERVAL_SECONDS, INTERVAL_SECONDS, TimeUnit.SECONDS);
    return expiry;
  }

  @Override
  public void close() {
    thread.shutdownNow();
  }
}
