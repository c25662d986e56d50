package dev.onceward.worker.claim;

import dev.onceward.db.Database;
import dev.onceward.db.UuidV7;
import dev.onceward.db.operation.ClaimResult;
import dev.onceward.db.operation.DueOperation;
import dev.onceward.db.operation.Lease;
import dev.onceward.db.operation.NewTask;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationClaims;
import dev.onceward.db.operation.OperationFinishes;
import dev.onceward.db.operation.TaskWriter;
import dev.onceward.event.Envelope;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.TaskEvent;
import dev.onceward.worker.retry.DatabaseStatus;
import io.opentelemetry.api.trace.Span;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Claims the operation of an event, runs its handler, and writes how that ended. Whoever brings the
 * same event again, from Kafka or from the table, finds it done or in hand. Thread-safe; a call
 * lasts as long as the attempt.
 */
public final class TaskProcessor {

  private static final Logger log = LoggerFactory.getLogger(TaskProcessor.class);

  private final Database database;
  private final String owner;
  private final TaskTimes times;
  private final DatabaseStatus status;
  private final TaskMetrics metrics;
  private final TaskTraces traces;
  private final LeaseRenewer leases;
  private final TaskClaimer claimer;
  private final TaskFinisher finisher;
  private final HandlerRunner handlers = new HandlerRunner();
  private final Set<TaskRun> inHand = ConcurrentHashMap.newKeySet();
  private volatile boolean stopping;

  /**
   * Makes a processor; {@link #start} keeps its leases.
   *
   * @param owner names this worker in leases; no other running worker has the same
   * @param batch so many claims, or ends, in one transaction; 1 makes one for each
   */
  public TaskProcessor(
      Database database,
      String owner,
      TaskTimes times,
      int batch,
      DatabaseStatus status,
      TaskMetrics metrics,
      TaskTraces traces) {
    this.database = database;
    this.owner = owner;
    this.times = times;
    this.status = status;
    this.metrics = metrics;
    this.traces = traces;
    this.leases = new LeaseRenewer(status, times);
    this.claimer = new TaskClaimer(database, owner, times.lease(), batch);
    this.finisher = new TaskFinisher(database, status, times.backoff(), batch);
    metrics.gauge("onceward.worker.in.flight", "Tasks claimed here", inHand::size);
    metrics.gauge(
        "onceward.worker.handlers.abandoned",
        "Handlers that still run although their attempt is over",
        handlers::abandoned);
  }

  /** Begins to renew leases. */
  public void start() {
    leases.start();
  }

  /** How the operation of an event is claimed. */
  @FunctionalInterface
  private interface Claim {
    ClaimResult of(UUID workspaceId, UUID eventId) throws SQLException, InterruptedException;
  }

  /**
   * Does what an event asks for, if it is this worker's to do. What an expired lease left is not:
   * see {@link #takeUp}.
   *
   * @param claimed run once the task is this worker's: whatever brought the event may forget it
   * @throws InterruptedException if the calling thread is to stop; a lease that is held expires
   */
  public TaskResult process(TaskEvent event, EventHandler handler, Runnable claimed)
      throws InterruptedException {
    return process(event, handler, claimer::claim, claimed);
  }

  /**
   * Does what the event of a due operation asks for, also if an expired lease left it.
   *
   * @throws InterruptedException if the calling thread is to stop; a lease that is held expires
   */
  public TaskResult takeUp(TaskEvent event, EventHandler handler) throws InterruptedException {
    return process(event, handler, claimer::takeUp, () -> {});
  }

  private TaskResult process(TaskEvent event, EventHandler handler, Claim how, Runnable whenClaimed)
      throws InterruptedException {
    Envelope envelope = event.envelope();
    try (LogContext context = LogContext.of(envelope)) {
      ClaimResult claim;
      try {
        claim = how.of(envelope.workspaceId(), envelope.eventId());
        status.answered();
      } catch (SQLException failure) {
        status.failed(failure);
        return TaskResult.DATABASE_AWAY;
      }
      if (claim instanceof ClaimResult.Claimed claimed) {
        whenClaimed.run();
        context.operation(claimed.operation().id());
        return run(event, claimed.operation(), handler);
      }
      return settle(envelope, ((ClaimResult.NotClaimed) claim).reason());
    }
  }

  /**
   * Makes the operation of an event that has none, if the event itself can be seen.
   *
   * @return whether it was made now
   */
  public boolean makeOperation(Envelope event, String kind) {
    try {
      boolean made =
          database.inWorkspace(
              event.workspaceId(),
              connection ->
                  TaskWriter.makeFor(
                      connection,
                      event.eventId(),
                      UuidV7.next(),
                      kind,
                      NewTask.DEFAULT_MAX_ATTEMPTS));
      status.answered();
      return made;
    } catch (SQLException failure) {
      status.failed(failure);
      return false;
    }
  }

  /**
   * Ends a due operation that no attempt can be made at, so that it is seen: {@code failed} with
   * the reason, or {@code dead} if its last attempt's lease has expired.
   *
   * @param code as in {@link OperationFinishes#fail}
   * @param summary as in {@link OperationFinishes#fail}
   */
  public void giveUp(DueOperation due, String code, String summary) {
    try {
      boolean ended =
          database.inWorkspace(
              due.workspaceId(),
              connection ->
                  OperationClaims.claim(connection, due.eventId(), owner, times.lease())
                          instanceof ClaimResult.Claimed claimed
                      ? OperationFinishes.fail(
                          connection, Lease.of(claimed.operation()), code, summary)
                      : OperationClaims.buryExpired(connection, due.operationId()));
      status.answered();
      if (ended) {
        log.error("operation {} is given up: {}", due.operationId(), summary);
      }
    } catch (SQLException failure) {
      status.failed(failure);
    }
  }

  /** Ends an operation whose last attempt's lease has expired as dead. */
  public void bury(DueOperation due, String eventType) {
    try {
      boolean buried =
          database.inWorkspace(
              due.workspaceId(),
              connection -> OperationClaims.buryExpired(connection, due.operationId()));
      status.answered();
      if (buried) {
        metrics.buried(eventType);
        log.error(
            "operation {} is dead: the worker of its last attempt did not come back; an explicit"
                + " retry is needed",
            due.operationId());
      }
    } catch (SQLException failure) {
      status.failed(failure);
    }
  }

  private TaskResult run(TaskEvent event, Operation operation, EventHandler handler)
      throws InterruptedException {
    long begun = System.nanoTime();
    String eventType = event.envelope().eventType();
    metrics.claimed(eventType);
    Span span = traces.begin(event, operation);
    TaskRun run = new TaskRun(database, TaskTraces.within(span, event), operation);
    inHand.add(run);
    leases.hold(run);
    try {
      if (stopping) {
        run.outcome().complete(new Outcome.HandedBack());
      }
      Outcome outcome = run.outcome().isDone() ? run.outcome().join() : attempt(run, handler);
      TaskFinisher.Finished finished = finisher.finish(run, outcome);
      Duration duration = Duration.ofNanos(System.nanoTime() - begun);
      metrics.ended(eventType, finished.end(), duration);
      TaskTraces.end(span, finished.end(), finished.errorCode());
      report(run.operation(), finished, duration);
      return finished.end() == TaskEnd.HANDED_BACK ? TaskResult.STOPPING : TaskResult.SETTLED;
    } finally {
      leases.release(run);
      inHand.remove(run);
      run.release();
      span.end();
    }
  }

  private Outcome attempt(TaskRun run, EventHandler handler) throws InterruptedException {
    Duration own = handler.timeout();
    return handlers.run(run, handler, own == null ? times.handlerTimeout() : own);
  }

  private static void report(
      Operation operation, TaskFinisher.Finished finished, Duration duration) {
    String attempt = operation.attempt() + " of " + operation.maxAttempts();
    TaskEnd end = finished.end();
    String code = finished.errorCode();
    switch (end) {
      case SUCCEEDED, HANDED_BACK ->
          log.info("task {}, attempt {}, {} ms", end.label(), attempt, duration.toMillis());
      case RETRIED -> log.warn("task failed with {}, attempt {}; it is tried again", code, attempt);
      case FAILED, DEAD ->
          log.error(
              "task {} with {}, attempt {}; an explicit retry is needed",
              end.label(),
              code,
              attempt);
      case LEASE_LOST ->
          log.warn("the lease was lost in attempt {}; nothing of it was written", attempt);
    }
  }

  private TaskResult settle(Envelope envelope, ClaimResult.Reason reason) {
    metrics.notClaimed(envelope.eventType(), reason.name().toLowerCase(Locale.ROOT));
    log.debug("not claimed: {}", reason);
    return switch (reason) {
      case FINAL, SUPERSEDED, RUNNING_ELSEWHERE, LEASE_EXPIRED, NOT_DUE -> TaskResult.SETTLED;
      case ATTEMPTS_USED_UP -> TaskResult.USED_UP;
      case NOT_VISIBLE, QUEUED -> TaskResult.NOT_VISIBLE;
    };
  }

  /** How many tasks are claimed here. */
  public int inFlight() {
    return inHand.size();
  }

  /** How many handlers run although their attempt is over. */
  public int abandoned() {
    return handlers.abandoned();
  }

  /**
   * Stops: what is claimed here, and what is claimed after, goes back to the queue, and its handler
   * is interrupted. Returns at once; {@link #inFlight} tells when all is back.
   */
  public void handBack() {
    stopping = true;
    inHand.forEach(run -> run.outcome().complete(new Outcome.HandedBack()));
  }

  /** Ends the threads. */
  public void close() {
    leases.stop();
    handlers.close();
  }
}
