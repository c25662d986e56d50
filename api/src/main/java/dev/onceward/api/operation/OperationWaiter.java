package dev.onceward.api.operation;

import dev.onceward.db.Database;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.operation.OperationStore;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Waits for operations to end, for all clients with one thread: while somebody waits it asks the
 * database once per workspace and turn. Thread-safe; start and close are idempotent.
 */
public final class OperationWaiter implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(OperationWaiter.class);

  private final Database database;
  private final Duration interval;
  private final Thread thread = new Thread(this::loop, "operation-waiter");
  private final Object monitor = new Object();
  private final CountDownLatch ended = new CountDownLatch(1);

  // Guarded by the monitor.
  private final Set<Waiting> all = new HashSet<>();
  private boolean started;
  private boolean closed;

  /**
   * @param interval between two turns
   */
  public OperationWaiter(Database database, Duration interval) {
    this.database = database;
    this.interval = interval;
    thread.setDaemon(true);
  }

  /** One client's wait. Compared by identity. */
  private static final class Waiting {
    final CompletableFuture<Operation> answer = new CompletableFuture<>();
    final long deadlineNanos;
    volatile Operation seen;

    Waiting(Operation seen, Duration atMost) {
      this.seen = seen;
      this.deadlineNanos = System.nanoTime() + atMost.toNanos();
    }
  }

  /** Starts the thread. */
  public void start() {
    synchronized (monitor) {
      if (!started && !closed) {
        started = true;
        thread.start();
      }
    }
  }

  /**
   * Waits for an end.
   *
   * @param seen the operation as the caller has just read it
   * @return the operation once it has ended, or as it is when the time is over; with an {@link
   *     SQLException} as its cause when the database fails
   */
  public CompletableFuture<Operation> await(Operation seen, Duration atMost) {
    Waiting waiting = new Waiting(seen, atMost);
    synchronized (monitor) {
      if (closed) {
        waiting.answer.complete(seen);
      } else {
        all.add(waiting);
        monitor.notifyAll();
      }
    }
    return waiting.answer;
  }

  /** One turn: reads what is waited for and answers whom it can. */
  void runOnce() {
    Map<UUID, List<Waiting>> byWorkspace = new HashMap<>();
    synchronized (monitor) {
      for (Waiting waiting : all) {
        byWorkspace
            .computeIfAbsent(waiting.seen.workspaceId(), id -> new ArrayList<>())
            .add(waiting);
      }
    }
    byWorkspace.forEach(this::look);
  }

  private void look(UUID workspaceId, List<Waiting> waiters) {
    Map<UUID, Operation> found;
    try {
      Set<UUID> ids = new HashSet<>();
      waiters.forEach(waiting -> ids.add(waiting.seen.id()));
      found = database.inWorkspace(workspaceId, connection -> OperationStore.find(connection, ids));
    } catch (SQLException | RuntimeException e) {
      waiters.forEach(waiting -> waiting.answer.completeExceptionally(e));
      remove(waiters);
      return;
    }
    List<Waiting> answered = new ArrayList<>();
    long now = System.nanoTime();
    for (Waiting waiting : waiters) {
      waiting.seen = found.getOrDefault(waiting.seen.id(), waiting.seen);
      if (waiting.seen.state().isFinal() || now - waiting.deadlineNanos >= 0) {
        answered.add(waiting);
      }
    }
    remove(answered);
    answered.forEach(waiting -> waiting.answer.complete(waiting.seen));
  }

  private void remove(List<Waiting> waiters) {
    synchronized (monitor) {
      waiters.forEach(all::remove);
    }
  }

  private void loop() {
    try {
      while (sleep()) {
        runOnce();
      }
    } catch (InterruptedException e) {
      LOG.debug("interrupted to end");
    }
  }

  /** False when it is time to end. */
  private boolean sleep() throws InterruptedException {
    synchronized (monitor) {
      while (!closed && all.isEmpty()) {
        monitor.wait();
      }
    }
    return !ended.await(interval.toMillis(), TimeUnit.MILLISECONDS);
  }

  /** Answers everybody with what was seen last. */
  @Override
  public void close() {
    List<Waiting> left;
    synchronized (monitor) {
      closed = true;
      left = List.copyOf(all);
      all.clear();
      monitor.notifyAll();
    }
    left.forEach(waiting -> waiting.answer.complete(waiting.seen));
    ended.countDown();
    thread.interrupt();
  }
}
