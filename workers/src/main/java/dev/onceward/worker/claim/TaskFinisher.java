package dev.onceward.worker.claim;

import dev.onceward.db.Database;
import dev.onceward.db.operation.Lease;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationBatches;
import dev.onceward.db.operation.OperationClaims;
import dev.onceward.db.operation.OperationFinishes;
import dev.onceward.db.operation.OperationState;
import dev.onceward.db.operation.OperationStore;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.retry.Backoff;
import dev.onceward.worker.retry.DatabaseStatus;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes how an attempt ended: one transaction that names state, event, owner and attempt, and that
 * takes the handler's own writes along. If it finds the operation taken over, nothing of it stays.
 *
 * <p>Failure: while the database is away the end is kept here and written when it is back; what the
 * database refuses for its content is written as a failed attempt instead.
 */
final class TaskFinisher {

  private static final Logger log = LoggerFactory.getLogger(TaskFinisher.class);

  private static final Backoff WHILE_AWAY =
      new Backoff(Duration.ofMillis(100), Duration.ofSeconds(2), 0.2);

  /**
   * What was written.
   *
   * @param outcome the one that was decided, or the failure that took its place
   */
  record Finished(TaskEnd end, Outcome outcome) {

    /** The error's code; null if it was no error. */
    @Nullable String errorCode() {
      if (outcome instanceof Outcome.Failed failed) {
        return failed.code();
      }
      return outcome instanceof Outcome.Retriable retriable ? retriable.code() : null;
    }
  }

  /** Rolls a transaction back whose lease turned out to be lost. */
  private static final class LeaseLostException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /** A success that writes nothing of its own. */
  private record PlainSuccess(TaskRun run, HandlerResult result) {}

  private final Database database;
  private final DatabaseStatus status;
  private final Backoff betweenAttempts;
  private final Gatherer<PlainSuccess, TaskEnd> successes;

  /**
   * Makes one.
   *
   * @param batch so many plain successes in one transaction; 1 writes each alone
   */
  TaskFinisher(Database database, DatabaseStatus status, Backoff betweenAttempts, int batch) {
    this.database = database;
    this.status = status;
    this.betweenAttempts = betweenAttempts;
    this.successes =
        new Gatherer<>(
            batch,
            this::writeTogether,
            (workspaceId, success) -> {
              try {
                return writeAlone(success.run(), new Outcome.Succeeded(success.result()));
              } catch (LeaseLostException lost) {
                return TaskEnd.LEASE_LOST;
              }
            });
  }

  /**
   * Writes the end, however long the database is away.
   *
   * @throws InterruptedException if the worker stops: the lease expires, and the task is taken up
   *     again
   */
  Finished finish(TaskRun run, Outcome decided) throws InterruptedException {
    Outcome outcome = decided;
    boolean uncertain = false;
    for (int failures = 1; ; failures++) {
      Outcome toWrite = outcome;
      try {
        TaskEnd end = write(run, toWrite);
        status.answered();
        return new Finished(
            end == TaskEnd.LEASE_LOST && uncertain ? endAfterAll(run) : end, toWrite);
      } catch (SQLException failure) {
        if (DatabaseFailures.passing(failure)) {
          status.failed(failure);
          uncertain = true;
          Thread.sleep(WHILE_AWAY.after(failures, ThreadLocalRandom.current()).toMillis());
        } else {
          outcome = refused(toWrite, "SQLSTATE " + failure.getSQLState(), failure);
        }
      } catch (RuntimeException defect) {
        outcome = refused(toWrite, defect.getClass().getName(), defect);
      }
    }
  }

  private TaskEnd write(TaskRun run, Outcome outcome) throws SQLException, InterruptedException {
    if (outcome instanceof Outcome.Succeeded succeeded && succeeded.result().isPlain()) {
      return successes.call(
          run.operation().workspaceId(), new PlainSuccess(run, succeeded.result()));
    }
    try {
      return writeAlone(run, outcome);
    } catch (LeaseLostException lost) {
      return TaskEnd.LEASE_LOST;
    }
  }

  private TaskEnd writeAlone(TaskRun run, Outcome outcome) throws SQLException {
    return run.inWorkspace(connection -> write(connection, run, outcome));
  }

  private List<TaskEnd> writeTogether(UUID workspaceId, List<PlainSuccess> plain)
      throws SQLException {
    Set<UUID> held =
        database.inWorkspace(
            workspaceId,
            connection -> {
              List<OperationBatches.Success> all = new ArrayList<>();
              for (PlainSuccess success : plain) {
                all.add(
                    new OperationBatches.Success(
                        success.run().lease(), success.result().finish(connection)));
              }
              return OperationBatches.succeed(connection, all);
            });
    return plain.stream()
        .map(
            success ->
                held.contains(success.run().lease().operationId())
                    ? TaskEnd.SUCCEEDED
                    : TaskEnd.LEASE_LOST)
        .toList();
  }

  private static Outcome refused(Outcome written, String why, Exception failure) {
    if (!(written instanceof Outcome.Succeeded)) {
      // Only our own statements run here: this is a defect of ours, and the lease's end mends it.
      throw new IllegalStateException("an attempt's end could not be written: " + why, failure);
    }
    log.warn("the handler's result was refused ({}); the attempt counts as failed", why);
    return new Outcome.Retriable(
        "RESULT_REFUSED", "The result could not be written: " + why + ".", null);
  }

  private TaskEnd write(Connection connection, TaskRun run, Outcome outcome) throws SQLException {
    Lease lease = run.lease();
    if (outcome instanceof Outcome.Succeeded succeeded) {
      String result = succeeded.result().finish(connection);
      return held(OperationFinishes.succeed(connection, lease, result), TaskEnd.SUCCEEDED);
    }
    if (outcome instanceof Outcome.Failed failed) {
      return held(
          OperationFinishes.fail(connection, lease, failed.code(), failed.summary()),
          TaskEnd.FAILED);
    }
    if (outcome instanceof Outcome.Retriable retriable) {
      Optional<OperationState> state =
          OperationFinishes.retryLater(
              connection, lease, delay(run, retriable), retriable.code(), retriable.summary());
      return held(state.isPresent(), state.map(TaskFinisher::end).orElse(TaskEnd.LEASE_LOST));
    }
    if (outcome instanceof Outcome.HandedBack) {
      return held(OperationClaims.handBack(connection, lease), TaskEnd.HANDED_BACK);
    }
    return TaskEnd.LEASE_LOST;
  }

  private static TaskEnd held(boolean changed, TaskEnd end) {
    if (!changed) {
      throw new LeaseLostException();
    }
    return end;
  }

  private static TaskEnd end(OperationState state) {
    return state == OperationState.DEAD ? TaskEnd.DEAD : TaskEnd.RETRIED;
  }

  private Duration delay(TaskRun run, Outcome.Retriable retriable) {
    Duration ours = betweenAttempts.after(run.operation().attempt(), ThreadLocalRandom.current());
    Duration theirs = retriable.notBefore();
    if (theirs == null || theirs.compareTo(ours) <= 0) {
      return ours;
    }
    return theirs.compareTo(betweenAttempts.cap()) < 0 ? theirs : betweenAttempts.cap();
  }

  /**
   * The transaction before this one failed in a way that leaves open whether it was committed. If
   * the operation has ended in our attempt, it was.
   */
  private TaskEnd endAfterAll(TaskRun run) {
    Lease lease = run.lease();
    try {
      Optional<Operation> now =
          run.inWorkspace(connection -> OperationStore.find(connection, lease.operationId()));
      return now.filter(operation -> operation.attempt() == lease.attempt())
          .map(Operation::state)
          .map(
              state ->
                  switch (state) {
                    case SUCCEEDED -> TaskEnd.SUCCEEDED;
                    case FAILED -> TaskEnd.FAILED;
                    case WAITING_RETRY -> TaskEnd.RETRIED;
                    case DEAD -> TaskEnd.DEAD;
                    case QUEUED, RUNNING, CANCELLED -> TaskEnd.LEASE_LOST;
                  })
          .orElse(TaskEnd.LEASE_LOST);
    } catch (SQLException away) {
      status.failed(away);
      return TaskEnd.LEASE_LOST; // only the count is uncertain, not the state
    }
  }
}
