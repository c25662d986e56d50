package dev.onceward.relay.capture;

import io.debezium.DebeziumException;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.DebeziumEngine.RecordCommitter;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Embedded Debezium over one replication slot. Thread-safe as {@link ChangeSource} says. */
public final class DebeziumChangeSource implements ChangeSource {
  private static final Logger LOG = LoggerFactory.getLogger(DebeziumChangeSource.class);
  private static final Duration RETRY_CLOSE = Duration.ofMillis(50);

  private final CaptureSettings settings;
  private final AtomicBoolean closing = new AtomicBoolean();
  private final AtomicBoolean ended = new AtomicBoolean();

  /**
   * Held while a batch is in the handler's hands, so that closing can wait for its end. Fair: who
   * closes goes before the next batch, and keeps it.
   */
  private final Semaphore batchInHand = new Semaphore(1, true);

  private volatile @Nullable DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private volatile @Nullable RuntimeException handlerFailure;
  private volatile @Nullable Throwable engineFailure;

  public DebeziumChangeSource(CaptureSettings settings) {
    this.settings = settings;
  }

  @Override
  public void run(ChangeHandler handler) throws CaptureException {
    try {
      DebeziumEngine<RecordChangeEvent<SourceRecord>> built =
          DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
              .using(EngineProperties.of(settings))
              .using((success, message, error) -> engineFailure = error)
              .notifying((records, committer) -> deliver(records, committer, handler))
              .build();
      engine = built;
      if (!closing.get()) {
        built.run();
      }
    } catch (DebeziumException e) {
      throw new CaptureException("The replication stream did not start", e);
    } finally {
      ended.set(true);
    }
    RuntimeException failedHandler = handlerFailure;
    if (failedHandler != null) {
      throw failedHandler;
    }
    Throwable failedEngine = engineFailure;
    if (failedEngine != null && !closing.get()) {
      throw new CaptureException("The replication stream ended", failedEngine);
    }
  }

  private void deliver(
      List<RecordChangeEvent<SourceRecord>> records,
      RecordCommitter<RecordChangeEvent<SourceRecord>> committer,
      ChangeHandler handler)
      throws InterruptedException {
    batchInHand.acquire();
    try {
      ChangeBatch batch = ChangeReader.read(records);
      if (!batch.events().isEmpty() || !batch.messages().isEmpty()) {
        hand(batch, handler);
      }
      // The last record stands for all before it.
      committer.markProcessed(records.get(records.size() - 1));
      committer.markBatchFinished();
    } finally {
      batchInHand.release();
    }
  }

  private void hand(ChangeBatch batch, ChangeHandler handler) throws InterruptedException {
    try {
      handler.handle(batch);
    } catch (RuntimeException e) {
      handlerFailure = e;
      throw e;
    }
  }

  @Override
  public void close(Duration patience) {
    if (closing.compareAndSet(false, true)) {
      Thread closer = new Thread(() -> closeEngine(patience), "relay-capture-close");
      closer.setDaemon(true);
      closer.start();
    }
  }

  private void closeEngine(Duration patience) {
    try {
      if (!batchInHand.tryAcquire(patience.toMillis(), TimeUnit.MILLISECONDS)) {
        LOG.info("A batch is interrupted; its events will be delivered again");
      }
      while (!ended.get() && !closeOnce()) {
        Thread.sleep(RETRY_CLOSE.toMillis());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** False if the engine refuses for the moment: it cannot be closed while its tasks start. */
  private boolean closeOnce() {
    DebeziumEngine<RecordChangeEvent<SourceRecord>> running = engine;
    if (running == null) {
      return false;
    }
    try {
      running.close();
      return true;
    } catch (IllegalStateException e) {
      return false;
    } catch (IOException e) {
      LOG.warn("The replication stream did not close cleanly", e);
      return true;
    }
  }
}
