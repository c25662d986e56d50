package dev.onceward.relay.audit;

import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.db.relay.Snapshot;
import dev.onceward.relay.park.EventDispatcher;
import dev.onceward.relay.publish.RowPublisher;
import dev.onceward.relay.slot.NotPreparedException;
import dev.onceward.relay.slot.RelaySession;
import dev.onceward.relay.watermark.Watermark;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The audit of one term, on a thread of its own. All but {@link #start} and {@link #fillBefore} may
 * be called by any thread.
 */
public final class Auditor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(Auditor.class);

  /** The first rows of a step over a large table may take that long. */
  private static final Duration READ_PATIENCE = Duration.ofMinutes(2);

  private final Sessions sessions;
  private final RelaySession term;
  private final RelayStateStore store;
  private final DeliveryLedger ledger;
  private final KafkaTail tail;
  private final RowPublisher publisher;
  private final EventDispatcher dispatcher;
  private final AuditMetrics metrics;
  private final String cause;
  private final Thread thread = new Thread(this::loop, "relay-audit");

  private volatile Snapshot delivered;
  private Snapshot audited;
  private volatile @Nullable Exception failure;
  private @Nullable Watermark next;
  private volatile boolean started;
  private volatile @Nullable RelaySession session;

  /** Opens sessions with the database. */
  @FunctionalInterface
  public interface Sessions {
    RelaySession open() throws SQLException, NotPreparedException;
  }

  /**
   * Makes an audit; {@link #start} begins it.
   *
   * @param sessions for reading the outbox
   * @param term over which alone it writes
   * @param store what it writes
   * @param ledger what is known to be delivered
   * @param tail asked for the ids of new topics, and for what the ledger has no room for
   * @param publisher for what is missing; closed with the audit
   * @param dispatcher uses it, and parks what it cannot send
   * @param metrics what it tells
   * @param audited how far earlier terms have come
   * @param cause what is known about why an event could be missing, for the log
   */
  public Auditor(
      Sessions sessions,
      RelaySession term,
      RelayStateStore store,
      DeliveryLedger ledger,
      KafkaTail tail,
      RowPublisher publisher,
      EventDispatcher dispatcher,
      AuditMetrics metrics,
      Snapshot audited,
      String cause) {
    this.sessions = sessions;
    this.term = term;
    this.store = store;
    this.ledger = ledger;
    this.tail = tail;
    this.publisher = publisher;
    this.dispatcher = dispatcher;
    this.metrics = metrics;
    this.delivered = audited;
    this.audited = audited;
    this.cause = cause;
    thread.setDaemon(true);
  }

  public void start() {
    started = true;
    thread.start();
  }

  /**
   * Audits up to there on the caller's thread, before {@link #start}: what a new slot will not
   * bring is then in Kafka before the first event that it does.
   *
   * @param watermark taken after the slot was made
   */
  public void fillBefore(Watermark watermark)
      throws SQLException, NotPreparedException, InterruptedException {
    delivered = watermark.snapshot();
    step(watermark);
    term.run(store::closeGap);
  }

  /** Everything that the watermark's snapshot sees has been delivered; returns at once. */
  public synchronized void delivered(Watermark watermark) {
    delivered = watermark.snapshot();
    next = watermark;
    notifyAll();
  }

  /**
   * What is this audit's to look after: an event of a transaction that it sees and that comes only
   * now is late. It is in Kafka, or the audit puts it there.
   */
  public Snapshot delivered() {
    return delivered;
  }

  /** What ended the audit unasked; the term then ends too. */
  public Optional<Exception> failure() {
    return Optional.ofNullable(failure);
  }

  private void loop() {
    try {
      while (true) {
        step(take());
      }
    } catch (InterruptedException e) {
      LOG.debug("The audit is asked to stop");
    } catch (Exception e) {
      // The thread's outermost guard: the supervisor ends the term.
      failure = e;
    } finally {
      Thread.interrupted(); // Or what is closed now would complain.
      release();
    }
  }

  private void release() {
    publisher.close();
    metrics.remembered(0);
    RelaySession open = session;
    if (open != null) {
      open.close();
    }
  }

  private synchronized Watermark take() throws InterruptedException {
    Watermark taken = next;
    while (taken == null) {
      wait();
      taken = next;
    }
    next = null;
    return taken;
  }

  private void step(Watermark watermark)
      throws SQLException, NotPreparedException, InterruptedException {
    Snapshot to = watermark.snapshot();
    long missing = fillGaps(to);
    if (missing > 0) {
      metrics.missing(missing);
      LOG.error(
          "The audit found {} events in the outbox that were not in Kafka, and has published them."
              + " Cause: {}",
          missing,
          cause);
    }
    long unseen = ledger.forget(to);
    if (unseen > 0) {
      metrics.unseen(unseen);
      LOG.warn(
          "{} delivered events have no row in the outbox that the relay can see: they were deleted,"
              + " or row-level security hides them",
          unseen);
    }
    learnTopics();
    String positions = ledger.positions().toJson();
    term.callUnchecked(
        connection -> {
          store.advance(
              connection,
              new RelayStateStore.Audited(
                  to, RelaySession.lsn(watermark.lsn()), watermark.takenAt(), positions));
          return to;
        });
    audited = to;
    metrics.audited(watermark.takenAt());
    metrics.remembered(ledger.remembered());
  }

  /** A topic whose id is not known is read from its beginning by the next term. */
  private void learnTopics() throws InterruptedException {
    Set<String> unknown = ledger.unknownTopics();
    if (!unknown.isEmpty()) {
      try {
        ledger.learn(tail.topicIds(unknown));
      } catch (ExecutionException | KafkaException e) {
        LOG.debug("The ids of the topics {} are asked for again later", unknown, e);
      }
    }
  }

  /** Publishes what is missing up to there; how many events that were. */
  private long fillGaps(Snapshot to)
      throws SQLException, NotPreparedException, InterruptedException {
    long[] filled = new long[1];
    session()
        .inTransaction(
            connection -> {
              Comparison comparison = new Comparison(connection, ledger, tail, dispatcher);
              OutboxRows.between(connection, audited, to, comparison::visit);
              filled[0] = comparison.finish();
            });
    return filled[0];
  }

  private RelaySession session() throws SQLException, NotPreparedException {
    RelaySession open = session;
    if (open == null) {
      open = sessions.open();
      open.patience(READ_PATIENCE);
      open.run(OutboxRows::untimed);
      session = open;
    }
    return open;
  }

  /** Ends the audit where it stands; what is not stored will be audited again. Idempotent. */
  @Override
  public void close() {
    thread.interrupt();
    if (!started) {
      release();
    }
  }
}
