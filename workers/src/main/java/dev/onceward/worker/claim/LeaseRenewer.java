package dev.onceward.worker.claim;

import dev.onceward.db.operation.OperationClaims;
import dev.onceward.worker.retry.DatabaseStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the leases of what runs here. A lease that turns out to be lost ends its attempt; one that
 * cannot be renewed because the database is away stays held, since nobody can take it meanwhile
 * without the same database. Thread-safe.
 */
final class LeaseRenewer {

  private static final Logger log = LoggerFactory.getLogger(LeaseRenewer.class);

  private final DatabaseStatus status;
  private final Duration lease;
  private final Duration every;
  private final Set<TaskRun> held = ConcurrentHashMap.newKeySet();
  private final Thread thread = new Thread(this::run, "lease-renewer");
  private volatile boolean stopping;

  LeaseRenewer(DatabaseStatus status, TaskTimes times) {
    this.status = status;
    this.lease = times.lease();
    this.every = times.renewal();
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  void hold(TaskRun run) {
    held.add(run);
  }

  void release(TaskRun run) {
    held.remove(run);
  }

  /** Renews each lease once. */
  void runOnce() {
    for (TaskRun run : held) {
      try {
        boolean kept =
            run.inWorkspace(connection -> OperationClaims.renew(connection, run.lease(), lease));
        status.answered();
        if (!kept && held.contains(run)) {
          run.outcome().complete(new Outcome.LeaseLost());
        }
      } catch (SQLException failure) {
        status.failed(failure);
        if (DatabaseFailures.passing(failure)) {
          return; // the others would wait in vain, too
        }
      } catch (RuntimeException defect) {
        log.error("renewing a lease ended in a defect: {}", defect.getClass().getName());
      }
    }
  }

  private void run() {
    while (!stopping) {
      try {
        Thread.sleep(every.toMillis());
      } catch (InterruptedException stop) {
        return;
      }
      runOnce();
    }
  }

  void stop() {
    stopping = true;
    thread.interrupt();
  }
}
