package dev.onceward.worker.retry;

import dev.onceward.db.Database;
import dev.onceward.db.operation.DueOperation;
import dev.onceward.db.operation.OperationStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes up what is due without Kafka: waits that are over, leases that have expired, what was
 * handed back, and queued operations that nobody took. Looks once per interval, in every workspace,
 * by ids only. Threads of its own, so that a full consumer cannot keep it from returning dead
 * workers' tasks. {@link #start} and {@link #stopTaking} are for any thread and idempotent.
 */
public final class DueTaskLoop implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DueTaskLoop.class);

  /** What is done with each operation that is due. */
  @FunctionalInterface
  public interface Taker {

    /** Claims and runs it; returns when that has ended. */
    void take(DueOperation due) throws InterruptedException;
  }

  private final Database database;
  private final List<String> kinds;
  private final int capacity;
  private final Duration interval;
  private final Taker taker;
  private final DatabaseStatus status;
  private final ExecutorService threads;
  private final Set<UUID> inHand = ConcurrentHashMap.newKeySet();
  private final Thread thread = new Thread(this::run, "due-tasks");
  private volatile boolean taking = true;

  /**
   * Makes a loop that does nothing before {@link #start}.
   *
   * @param kinds the kinds of operation to look for
   * @param capacity how many are in hand at a time, at least 1
   * @param interval between two looks
   */
  public DueTaskLoop(
      Database database,
      Set<String> kinds,
      int capacity,
      Duration interval,
      Taker taker,
      DatabaseStatus status) {
    this.database = database;
    this.kinds = List.copyOf(kinds);
    this.capacity = capacity;
    this.interval = interval;
    this.taker = taker;
    this.status = status;
    AtomicInteger number = new AtomicInteger();
    this.threads =
        Executors.newFixedThreadPool(
            capacity,
            work -> {
              Thread worker = new Thread(work, "due-task-" + number.incrementAndGet());
              worker.setDaemon(true);
              return worker;
            });
    thread.setDaemon(true);
  }

  /** Begins to look. */
  public synchronized void start() {
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
  }

  /**
   * Looks once and hands out what there is room for.
   *
   * @return how many were handed out
   */
  public int runOnce() {
    // With no room left it still looks: that the database answers is worth knowing.
    int room = capacity - inHand.size();
    List<DueOperation> due;
    try {
      due =
          new ArrayList<>(
              database.inTransaction(
                  connection -> OperationStore.due(connection, kinds, Math.max(1, room))));
      status.answered();
    } catch (SQLException failure) {
      status.failed(failure);
      return 0;
    }
    // Several workers see the same ids: in the same order they would race for each.
    Collections.shuffle(due);
    int handedOut = 0;
    for (DueOperation operation : due) {
      if (handedOut < room && taking && inHand.add(operation.operationId())) {
        handOut(operation);
        handedOut++;
      }
    }
    return handedOut;
  }

  private void handOut(DueOperation operation) {
    try {
      threads.execute(
          () -> {
            try {
              taker.take(operation);
            } catch (InterruptedException stopping) {
              Thread.currentThread().interrupt();
            } catch (RuntimeException defect) {
              log.error(
                  "taking up operation {} ended in a defect: {}",
                  operation.operationId(),
                  defect.getClass().getName());
            } finally {
              inHand.remove(operation.operationId());
            }
          });
    } catch (RejectedExecutionException closed) {
      inHand.remove(operation.operationId());
    }
  }

  private void run() {
    while (taking) {
      try {
        runOnce();
      } catch (RuntimeException defect) { // the outermost guard of the loop
        log.error("looking for due tasks ended in a defect: {}", defect.getClass().getName());
      }
      try {
        Thread.sleep(interval.toMillis());
      } catch (InterruptedException stopping) {
        return;
      }
    }
  }

  /** Hands out nothing more; what is in hand may end. Returns at once. */
  public void stopTaking() {
    taking = false;
    thread.interrupt();
  }

  /** Interrupts what is in hand. */
  @Override
  public void close() {
    stopTaking();
    threads.shutdownNow();
  }
}
