package dev.onceward.relay.capture.direct;

import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.CaptureSettings;
import java.nio.ByteBuffer;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that owns the connection: reads ahead as far as the queue has room, and sends
 * statuses. Its methods belong to the one thread that takes.
 */
final class StreamReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamReader.class);

  /** How long after a message the next one is waited for without a pause. */
  private static final Duration LIVELY = Duration.ofMillis(50);

  /** At most so often is something new confirmed. */
  private static final Duration CONFIRM_INTERVAL = Duration.ofMillis(100);

  /** At least so often PostgreSQL hears from us while the queue is full. */
  private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(1);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final ReplicationConnection connection;
  private final PgoutputDecoder decoder;
  private final Duration pause;
  private final BlockingQueue<Change> changes;
  private final Thread thread = new Thread(this::loop, "relay-capture-read");
  private volatile boolean stopping;
  private volatile long confirmableLsn;
  private volatile @Nullable Throwable failure;

  // The reading thread's own.
  private long confirmedLsn;
  private long statusNanos;
  private long messageNanos;

  // The taking thread's own.
  private boolean ended;

  private StreamReader(ReplicationConnection connection, CaptureSettings settings) {
    this.connection = connection;
    this.decoder = new PgoutputDecoder(settings.table());
    this.pause = settings.pollInterval();
    this.changes = new ArrayBlockingQueue<>(2 * settings.batchEvents());
    thread.setDaemon(true);
  }

  /** Begins to read where the slot is confirmed. */
  static StreamReader start(CaptureSettings settings) throws SQLException {
    StreamReader reader = new StreamReader(ReplicationConnection.open(settings), settings);
    reader.thread.start();
    return reader;
  }

  private void loop() {
    statusNanos = System.nanoTime();
    messageNanos = statusNanos;
    try {
      while (!stopping) {
        readOnce();
      }
      confirm();
      connection.close();
    } catch (Throwable e) {
      // The thread's outermost guard: whatever it is, the one who takes must learn of it.
      failure = e;
    } finally {
      abort();
      while (!stopping && !offer(new Change.Ended(), SIGN_OF_LIFE)) {
        LOG.debug("The stream has ended while a batch is in hand");
      }
    }
  }

  private void readOnce() throws SQLException, CaptureException {
    ByteBuffer message = connection.read();
    long now = System.nanoTime();
    if (message != null) {
      messageNanos = now;
      Change change = decoder.decode(message, connection.lastLsn());
      while (change != null && !stopping && !offer(change, SIGN_OF_LIFE)) {
        status();
      }
    } else if (now - messageNanos > LIVELY.toNanos()) {
      LockSupport.parkNanos(this, pause.toNanos());
    }
    if (now - statusNanos > CONFIRM_INTERVAL.toNanos()) {
      confirm();
    }
  }

  private boolean offer(Change change, Duration limit) {
    try {
      return changes.offer(change, limit.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      throw new IllegalStateException("Nobody interrupts the reader", e);
    }
  }

  /** What has become confirmable since the last status. */
  private void confirm() throws SQLException {
    if (confirmableLsn != confirmedLsn) {
      status();
    }
  }

  private void status() throws SQLException {
    confirmedLsn = confirmableLsn;
    connection.confirm(confirmedLsn);
    statusNanos = System.nanoTime();
  }

  /**
   * The next changes, as many as have come; waits for the first one.
   *
   * @param most how many at once
   * @throws CaptureException if the stream has ended, with the cause
   */
  List<Change> take(int most) throws InterruptedException, CaptureException {
    List<Change> taken = new ArrayList<>();
    if (!ended) {
      taken.add(changes.take());
      changes.drainTo(taken, most - 1);
      ended = taken.removeIf(change -> change instanceof Change.Ended);
    }
    if (taken.isEmpty()) {
      Throwable why = failure;
      throw why instanceof CaptureException known
          ? known
          : new CaptureException("The replication stream ended", why);
    }
    return taken;
  }

  /** Everything that ended up to here is safe elsewhere. */
  void confirmable(long lsn) {
    confirmableLsn = lsn;
  }

  /** Sends what is confirmable and ends the connection. */
  @Override
  public void close() {
    stopping = true;
    LockSupport.unpark(thread);
    try {
      thread.join(CLOSE_LIMIT.toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (thread.isAlive()) {
      abort(); // It waits for an answer that does not come.
    }
  }

  private void abort() {
    try {
      connection.abort();
    } catch (SQLException e) {
      LOG.debug("The replication connection did not close cleanly", e);
    }
  }
}
