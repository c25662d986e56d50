package dev.onceward.relay;

import dev.onceward.db.SqlStates;
import dev.onceward.db.relay.RelayControl;
import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import dev.onceward.relay.audit.AuditMetrics;
import dev.onceward.relay.audit.Auditor;
import dev.onceward.relay.audit.DeliveryLedger;
import dev.onceward.relay.audit.KafkaTail;
import dev.onceward.relay.audit.StoredAudit;
import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.CaptureSettings;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.capture.ChangeSource;
import dev.onceward.relay.lead.Leadership;
import dev.onceward.relay.park.ParkedStatus;
import dev.onceward.relay.park.Parking;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.publish.RowPublisher;
import dev.onceward.relay.publish.TopicCatalog;
import dev.onceward.relay.slot.NotPreparedException;
import dev.onceward.relay.slot.PartitionMaker;
import dev.onceward.relay.slot.Preflight;
import dev.onceward.relay.slot.RelaySession;
import dev.onceward.relay.slot.ReplicationSlot;
import dev.onceward.relay.slot.SlotStatus;
import dev.onceward.relay.watermark.Watermark;
import dev.onceward.relay.watermark.Watermarks;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One term: from the moment that a session holds the leader's lock to the end of that session, of
 * the stream or of the audit, whichever comes first. What it remembers ends with it. Confined to
 * the supervisor's thread, but for what the stream prepares.
 */
final class Term {
  private static final Logger LOG = LoggerFactory.getLogger(Term.class);

  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);

  /** How long a stream must run before it counts as working: what fails at once does so sooner. */
  private static final Duration STABLE_AFTER = Duration.ofSeconds(3);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final Duration PARTITIONS_INTERVAL = Duration.ofMinutes(1);

  private final RelayConfig config;
  private final RelaySession session;
  private final Leadership leadership;
  private final RelayStatus status;
  private final PublishStatus publishing;
  private final RelayMetrics metrics;
  private final AuditMetrics auditMetrics;
  private final ParkedStatus parked;
  private final Runnable onStable;
  private final ReplicationSlot slot;
  private final SlotPreparation preparation;
  private final RelayStateStore stateStore;
  private final Watermarks watermarks = new Watermarks();
  private volatile @Nullable Auditor auditor;
  private final RetentionPass retention;
  private long partitionsCheckedNanos;

  /**
   * A term that begins now.
   *
   * @param session holds the lock
   * @param onStable called whenever the stream is seen to work
   */
  Term(
      RelayConfig config,
      RelaySession session,
      RelayStatus status,
      PublishStatus publishing,
      RelayMetrics metrics,
      AuditMetrics auditMetrics,
      ParkedStatus parked,
      Runnable onStable)
      throws SQLException {
    this.config = config;
    this.session = session;
    this.leadership = Leadership.begin(session);
    this.status = status;
    this.publishing = publishing;
    this.metrics = metrics;
    this.auditMetrics = auditMetrics;
    this.parked = parked;
    this.onStable = onStable;
    this.slot = new ReplicationSlot(config.slotName());
    this.stateStore = new RelayStateStore(config.slotName());
    this.preparation = new SlotPreparation(config, session, slot, stateStore, status, metrics);
    this.retention = new RetentionPass(session, config.care().retention(), status);
  }

  /**
   * Streams until something ends.
   *
   * @param drainPatience how long the batch in hand may finish when the thread is interrupted
   */
  void run(Function<CaptureSettings, ChangeSource> sources, Duration drainPatience)
      throws SQLException,
          NotPreparedException,
          SlotBusyException,
          CaptureException,
          InterruptedException {
    StoredAudit stored = session.ask(connection -> StoredAudit.load(connection, stateStore));
    SlotPreparation.Gap gap = preparation.prepare(stored);
    makePartitions();
    session.run(watermarks::emit);
    status.termBegan(watermarks);
    try (RowPublisher publisher = publisher(config.parking().streamPatience());
        Parking parking = parking()) {
      ChangeSource source = sources.apply(captureSettings());
      watch(
          RunningStream.start(source, () -> prepareStream(stored, gap, publisher, parking)),
          parking,
          drainPatience);
    } finally {
      status.termEnded();
      Auditor begun = auditor;
      if (begun != null) {
        begun.close();
      }
    }
  }

  /** What Kafka holds is known before the first event comes. On the stream's thread. */
  private ChangeHandler prepareStream(
      StoredAudit stored, SlotPreparation.Gap gap, RowPublisher publisher, Parking parking)
      throws SQLException, NotPreparedException, InterruptedException {
    status.streamDown("what Kafka holds is read back before the stream begins");
    KafkaTail tail =
        new KafkaTail(
            config.kafka().admin(),
            config.kafka().consumer(),
            config.topicNames(),
            config.auditRememberedEvents());
    DeliveryLedger ledger = tail.ledger(stored);
    parking.begin(stored.audited(), ledger);
    RowPublisher repairs = publisher(config.parking().streamPatience());
    Auditor begun =
        new Auditor(
            this::openSession,
            session,
            stateStore,
            ledger,
            tail,
            repairs,
            parking.dispatcher(repairs, publishing),
            auditMetrics,
            stored.audited(),
            gap.cause());
    auditor = begun;
    Watermark before = gap.before();
    if (before != null) {
      begun.fillBefore(before);
    }
    begun.start();
    return new RelayHandler(
        leadership,
        parking.dispatcher(publisher, publishing),
        watermarks,
        ledger,
        begun,
        status,
        publishing,
        metrics,
        auditMetrics);
  }

  private RelaySession openSession() throws SQLException, NotPreparedException {
    return RelaySession.open(config.jdbcUrl(), config.user(), config.password());
  }

  private Parking parking() throws SQLException, NotPreparedException {
    return Parking.open(
        session, this::openSession, config.parking(), parked, this::publisher, leadership::require);
  }

  private RowPublisher publisher(Duration patience) {
    TopicCatalog topics =
        new TopicCatalog(
            config.kafka(),
            config.topicCreation(),
            (topic, present) ->
                session.callUnchecked(
                    connection -> stateStore.pinPartitions(connection, topic, present)));
    return new RowPublisher(
        config.kafka(), config.topicNames(), config.partitioner(), topics, publishing, patience);
  }

  private CaptureSettings captureSettings() {
    return new CaptureSettings(
        config.jdbcUrl(),
        config.user(),
        config.password(),
        config.slotName(),
        Preflight.PUBLICATION,
        Preflight.TABLE,
        config.pollInterval(),
        config.batchEvents());
  }

  /** Looks at PostgreSQL and the slot each second, and sends a watermark, until something ends. */
  private void watch(RunningStream stream, Parking parking, Duration drainPatience)
      throws SQLException, NotPreparedException, CaptureException, InterruptedException {
    long startedNanos = System.nanoTime();
    try {
      while (!stream.awaitEnd(WATCH_INTERVAL)) {
        boolean active = look();
        if (active && elapsed(startedNanos).compareTo(STABLE_AFTER) > 0) {
          status.streamUp();
          onStable.run();
        } else if (!active && elapsed(startedNanos).compareTo(CLOSE_LIMIT) > 0) {
          status.streamDown("the engine runs but does not stream from the slot");
        }
        pulse(parking);
        if (session.ask(c -> RelayControl.isPaused(c, config.slotName()))) {
          LOG.info("An operator has paused the relay");
          status.pause();
          end(stream, drainPatience);
          return;
        }
      }
    } catch (StartupException e) {
      throw e;
    } catch (SQLException | NotPreparedException | RuntimeException e) {
      end(stream, Duration.ZERO);
      throw e;
    } catch (InterruptedException e) {
      end(stream, drainPatience);
      throw e;
    }
    try {
      stream.rethrow();
    } catch (CaptureException e) {
      if (slot.isOlderThanPublication(session, e)) {
        preparation.remake();
      }
      throw e;
    }
  }

  private void pulse(Parking parking) throws SQLException, NotPreparedException {
    if (!watermarks.full()) {
      session.run(watermarks::emit);
    }
    leadership.answered();
    Auditor begun = auditor;
    Exception failed =
        (begun == null ? Optional.<Exception>empty() : begun.failure())
            .or(parking::failure)
            .orElse(null);
    if (failed instanceof SQLException sql) {
      throw sql;
    }
    if (failed instanceof NotPreparedException notPrepared) {
      throw notPrepared;
    }
    if (failed != null) {
      throw new IllegalStateException("The audit or the parked events' loop failed", failed);
    }
  }

  private boolean look() throws SQLException, NotPreparedException {
    Preflight.checkOutbox(session);
    Optional<SlotStatus> seen = slot.status(session);
    seen.ifPresent(status::slotSeen);
    if (elapsed(partitionsCheckedNanos).compareTo(PARTITIONS_INTERVAL) > 0) {
      makePartitions();
      retention.dropOld();
    }
    return seen.map(SlotStatus::active).orElse(false);
  }

  /** A failure to make partitions ends no stream: DEFAULT takes the rows meanwhile. */
  private void makePartitions() throws SQLException {
    partitionsCheckedNanos = System.nanoTime();
    try {
      Map<String, String> missing = PartitionMaker.makeMissing(session);
      status.partitionsMissing(missing.size());
      if (!missing.isEmpty()) {
        LOG.warn("Partitions of the outbox that could not be made: {}", missing);
      }
    } catch (SQLException e) {
      if (SqlStates.isUnavailable(e)) {
        throw e;
      }
      status.partitionsMissing(Math.max(1, status.partitionsMissing()));
      LOG.error(
          "Partitions of the outbox could not be made (SQLSTATE {}); new rows go to DEFAULT. Check"
              + " that the migrations are current",
          e.getSQLState());
    }
  }

  /** Ends the stream, or the process if the stream does not end. */
  private void end(RunningStream stream, Duration patience) {
    stream.close(patience);
    try {
      if (awaitEnd(stream, patience.plus(CLOSE_LIMIT))) {
        return;
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new StartupException(
        ExitCode.FAILURE,
        "The replication stream did not end when it was closed",
        "Start the relay again; nothing is lost",
        null);
  }

  /** Keeps the lock while the stream drains. */
  private boolean awaitEnd(RunningStream stream, Duration limit) throws InterruptedException {
    long startedNanos = System.nanoTime();
    while (elapsed(startedNanos).compareTo(limit) < 0) {
      if (stream.awaitEnd(WATCH_INTERVAL)) {
        return true;
      }
      try {
        slot.status(session);
        leadership.answered();
      } catch (SQLException e) {
        session.note(e);
        LOG.debug("The session has ended before the stream", e);
      }
    }
    return false;
  }

  private static Duration elapsed(long sinceNanos) {
    return Duration.ofNanos(System.nanoTime() - sinceNanos);
  }
}
