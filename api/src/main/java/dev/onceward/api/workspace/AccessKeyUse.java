package dev.onceward.api.workspace;

import dev.onceward.db.Database;
import dev.onceward.db.workspace.AccessKeyStore;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes down when access keys were used: one statement for all of them per turn, and each key once
 * a minute at most. A request only leaves a note in memory. Thread-safe; start and close are
 * idempotent.
 *
 * <p>Failure: notes that cannot be written wait for the next turn; those beyond {@value #MAX_NOTES}
 * are dropped, and so are those of a process that dies.
 */
public final class AccessKeyUse implements Consumer<String>, AutoCloseable {
  static final int MAX_NOTES = 10_000;
  private static final Duration INTERVAL = Duration.ofSeconds(10);
  private static final Duration ONCE_PER = Duration.ofMinutes(1);
  private static final Logger LOG = LoggerFactory.getLogger(AccessKeyUse.class);

  private final Database database;
  private final Map<String, Instant> notes = new ConcurrentHashMap<>();
  private final Map<String, Instant> written = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread = new Thread(this::loop, "access-key-use");

  /** Writes to this database. */
  public AccessKeyUse(Database database) {
    this.database = database;
    thread.setDaemon(true);
  }

  /** Notes that a key is being used now. */
  @Override
  public void accept(String keyId) {
    if (!written.containsKey(keyId) && (notes.size() < MAX_NOTES || notes.containsKey(keyId))) {
      notes.put(keyId, Instant.now());
    }
  }

  /** Starts the thread. */
  public synchronized void start() {
    if (thread.getState() == Thread.State.NEW) {
      thread.start();
    }
  }

  /** One turn: writes what was noted. */
  void runOnce() {
    Instant now = Instant.now();
    written.values().removeIf(at -> at.plus(ONCE_PER).isBefore(now));
    Map<String, Instant> due = new HashMap<>(notes);
    if (due.isEmpty()) {
      return;
    }
    try {
      database.inTransaction(connection -> AccessKeyStore.noteUse(connection, due));
      due.forEach(notes::remove);
      written.putAll(due);
    } catch (SQLException e) {
      LOG.info(
          "when {} access keys were last used could not be written (SQLSTATE {}); it is tried again",
          due.size(),
          e.getSQLState());
    }
  }

  private void loop() {
    try {
      while (!closed.await(INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
        try {
          runOnce();
        } catch (RuntimeException e) {
          LOG.error("when access keys were last used could not be written; a defect", e);
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("interrupted to end");
    }
  }

  /** Writes what is left, then ends. Call it when no more requests come. */
  @Override
  public void close() {
    if (closed.getCount() > 0) {
      closed.countDown();
      thread.interrupt();
      runOnce();
    }
  }
}
