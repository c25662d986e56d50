package dev.onceward.relay.capture.direct;

import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.CaptureSettings;
import dev.onceward.relay.capture.CapturedEvent;
import dev.onceward.relay.capture.ChangeBatch;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.capture.ChangeSource;
import dev.onceward.relay.capture.LogicalMessage;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * PostgreSQL's replication stream without an engine in between. Thread-safe as {@link ChangeSource}
 * says.
 */
public final class DirectChangeSource implements ChangeSource {
  private static final Logger LOG = LoggerFactory.getLogger(DirectChangeSource.class);

  private final CaptureSettings settings;

  /**
   * Held while a batch is in the handler's hands, so that closing can wait for its end. Fair: who
   * closes goes before the next batch, and keeps it.
   */
  private final Semaphore batchInHand = new Semaphore(1, true);

  private final Object lock = new Object();
  private boolean closing;

  /** Runs the handler at present; only it may be interrupted. */
  private @Nullable Thread runner;

  public DirectChangeSource(CaptureSettings settings) {
    this.settings = settings;
  }

  @Override
  public void run(ChangeHandler handler) throws CaptureException {
    if (isClosing()) {
      return;
    }
    try (StreamReader reader = StreamReader.start(settings)) {
      stream(reader, handler);
    } catch (SQLException e) {
      throw new CaptureException("The replication stream did not start", e);
    }
  }

  private void stream(StreamReader reader, ChangeHandler handler) throws CaptureException {
    begin();
    try {
      while (!isClosing()) {
        deliver(reader, handler);
      }
    } catch (CaptureException e) {
      if (!isClosing()) {
        throw e;
      }
    } catch (InterruptedException e) {
      if (!isClosing()) {
        throw new CaptureException("The replication stream was interrupted", e);
      }
    } finally {
      end();
    }
  }

  private void deliver(StreamReader reader, ChangeHandler handler)
      throws InterruptedException, CaptureException {
    List<Change> changes = reader.take(settings.batchEvents());
    batchInHand.acquire();
    try {
      List<CapturedEvent> events = new ArrayList<>(changes.size());
      List<LogicalMessage> messages = new ArrayList<>();
      long confirmable = 0;
      for (Change change : changes) {
        if (change instanceof Change.Inserted inserted) {
          events.add(inserted.event());
        } else if (change instanceof Change.Said said) {
          messages.add(said.message());
          confirmable = said.message().lsn();
        } else if (change instanceof Change.Committed committed) {
          confirmable = committed.endLsn();
        }
      }
      if (!events.isEmpty() || !messages.isEmpty()) {
        handler.handle(new ChangeBatch(events, messages));
      }
      if (confirmable != 0) {
        reader.confirmable(confirmable);
      }
    } finally {
      batchInHand.release();
    }
  }

  @Override
  public void close(Duration patience) {
    synchronized (lock) {
      if (closing) {
        return;
      }
      closing = true;
    }
    Thread closer = new Thread(() -> interruptAfter(patience), "relay-capture-close");
    closer.setDaemon(true);
    closer.start();
  }

  private void interruptAfter(Duration patience) {
    try {
      if (!batchInHand.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.info("A batch is interrupted; its events will be delivered again");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    synchronized (lock) {
      if (runner != null) {
        runner.interrupt();
      }
    }
  }

  private boolean isClosing() {
    synchronized (lock) {
      return closing;
    }
  }

  private void begin() {
    synchronized (lock) {
      runner = Thread.currentThread();
    }
  }

  /** After it no interrupt of ours comes, and none is left. */
  private void end() {
    synchronized (lock) {
      runner = null;
      if (closing) {
        boolean unusedInterrupted = Thread.interrupted();
      }
    }
  }
}
