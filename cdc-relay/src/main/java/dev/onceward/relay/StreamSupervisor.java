package dev.onceward.relay;

import dev.onceward.db.SqlStates;
import dev.onceward.db.relay.RelayStateStore;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.CaptureSettings;
import dev.onceward.relay.capture.ChangeSource;
import dev.onceward.relay.publish.EventPublisher;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.publish.TopicCatalog;
import dev.onceward.relay.slot.NotPreparedException;
import dev.onceward.relay.slot.PartitionMaker;
import dev.onceward.relay.slot.Preflight;
import dev.onceward.relay.slot.RelaySession;
import dev.onceward.relay.slot.ReplicationSlot;
import dev.onceward.relay.slot.SlotStatus;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one stream after another until it is stopped, and watches PostgreSQL beside each. Its thread
 * owns everything that a round opens.
 */
final class StreamSupervisor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamSupervisor.class);

  private static final Duration WATCH_INTERVAL = Duration.ofSeconds(1);

  /** How long a stream must run before it counts as working: what fails at once does so sooner. */
  private static final Duration STABLE_AFTER = Duration.ofSeconds(3);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);
  private static final Duration PARTITIONS_INTERVAL = Duration.ofMinutes(1);

  private final RelayConfig config;
  private final RelayStatus status;
  private final PublishStatus publishing;
  private final RelayMetrics metrics;
  private final Duration drainPatience;
  private final Consumer<RuntimeException> onFatal;
  private final Function<CaptureSettings, ChangeSource> sources;
  private final ReplicationSlot slot;
  private final RelayStateStore stateStore;
  private final Backoff backoff = new Backoff();
  private final Thread thread = new Thread(this::loop, "relay-supervisor");

  private volatile boolean stopping;
  private volatile @Nullable RelaySession openSession;
  private boolean everStreamed;
  private long partitionsCheckedNanos;

  /**
   * Makes a supervisor.
   *
   * @param drainPatience how long a stop lets the batch in hand finish
   * @param onFatal called once, on the supervisor's thread, with what ended it unasked
   * @param sources makes the source of each round
   */
  StreamSupervisor(
      RelayConfig config,
      RelayStatus status,
      PublishStatus publishing,
      RelayMetrics metrics,
      Duration drainPatience,
      Consumer<RuntimeException> onFatal,
      Function<CaptureSettings, ChangeSource> sources) {
    this.config = config;
    this.status = status;
    this.publishing = publishing;
    this.metrics = metrics;
    this.drainPatience = drainPatience;
    this.onFatal = onFatal;
    this.sources = sources;
    this.slot = new ReplicationSlot(config.slotName());
    this.stateStore = new RelayStateStore(config.slotName());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void loop() {
    try {
      while (!stopping) {
        round();
        Thread.sleep(backoff.next().toMillis());
      }
    } catch (InterruptedException e) {
      LOG.debug("The supervisor is asked to stop");
    } catch (RuntimeException | Error e) {
      // The thread's outermost guard.
      if (!stopping) {
        onFatal.accept(
            e instanceof RuntimeException known
                ? known
                : new IllegalStateException("The relay's supervisor failed", e));
      }
    }
  }

  /** One stream from its beginning to its end; every ordinary failure ends here. */
  private void round() throws InterruptedException {
    try {
      runStream();
      if (!stopping) {
        down("the stream ended without a reason", null);
      }
    } catch (StartupException | InterruptedException e) {
      throw e;
    } catch (Exception e) {
      // The outermost guard of a round.
      NotPreparedException notPrepared = StreamFailures.notPrepared(e);
      if (notPrepared != null && !everStreamed && !stopping) {
        throw StartupException.unavailable(
            String.valueOf(notPrepared.getMessage()), notPrepared.remedy(), e);
      }
      String known = StreamFailures.describe(e);
      down(known == null ? StreamFailures.unknown(e) : known, known == null ? e : null);
      if (e instanceof SQLException sql && SqlStates.isUnavailable(sql)) {
        status.databaseDown(known == null ? StreamFailures.unknown(e) : known);
      }
    }
  }

  private void down(String trouble, @Nullable Throwable unknown) {
    boolean told = status.streamTrouble().filter(trouble::equals).isPresent();
    status.streamDown(trouble);
    if (!stopping && !told) {
      LOG.error("The stream is down: {}. The relay tries again.", trouble, unknown);
    }
  }

  /** The slot is there, is ours, and nobody streams from it. */
  private void prepareSlot(RelaySession session)
      throws SQLException, NotPreparedException, SlotBusyException {
    slot.ensure(
        session,
        mayTake -> {
          status.streamDown("the slot is being made, which waits for every open transaction");
          status.databaseMayBeSilentFor(mayTake);
        });
    Optional<SlotStatus> seen = slot.status(session);
    seen.ifPresent(status::slotSeen);
    if (seen.isPresent() && seen.get().active()) {
      everStreamed = true;
      throw new SlotBusyException(config.slotName(), seen.get().activePid());
    }
  }

  private void runStream() throws Exception {
    try (RelaySession session =
        RelaySession.open(config.jdbcUrl(), config.user(), config.password())) {
      openSession = session;
      status.databaseAnswered();
      Preflight.check(session);
      prepareSlot(session);
      session.run(stateStore::ensureExists);
      makePartitions(session);
      try (TopicCatalog topics = topics(session);
          EventPublisher publisher = new EventPublisher(config.kafka(), topics, publishing)) {
        ChangeSource source = sources.apply(captureSettings());
        RelayHandler handler =
            new RelayHandler(config, topics, publisher, status, publishing, metrics);
        watch(session, RunningStream.start(source, handler));
      }
    } finally {
      openSession = null;
    }
  }

  private TopicCatalog topics(RelaySession session) {
    return new TopicCatalog(
        config.kafka(),
        config.topicCreation(),
        (topic, present) ->
            session.callUnchecked(
                connection -> stateStore.pinPartitions(connection, topic, present)),
        publishing);
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

  /** Looks at PostgreSQL and the slot each second until the stream ends. */
  private void watch(RelaySession session, RunningStream stream)
      throws SQLException, NotPreparedException, CaptureException, InterruptedException {
    long startedNanos = System.nanoTime();
    try {
      while (!stream.awaitEnd(WATCH_INTERVAL)) {
        boolean active = look(session);
        if (active && elapsed(startedNanos).compareTo(STABLE_AFTER) > 0) {
          status.streamUp();
          backoff.reset();
        } else if (!active && elapsed(startedNanos).compareTo(CLOSE_LIMIT) > 0) {
          status.streamDown("the engine runs but does not stream from the slot");
        }
      }
    } catch (SQLException | NotPreparedException e) {
      end(stream, Duration.ZERO);
      throw e;
    } catch (InterruptedException e) {
      end(stream, drainPatience);
      throw e;
    } finally {
      if (!stopping) {
        status.restarted();
      }
    }
    stream.rethrow();
  }

  private boolean look(RelaySession session) throws SQLException, NotPreparedException {
    Preflight.checkOutbox(session);
    Optional<SlotStatus> seen = slot.status(session);
    seen.ifPresent(status::slotSeen);
    boolean active = seen.map(SlotStatus::active).orElse(false);
    everStreamed |= active;
    if (elapsed(partitionsCheckedNanos).compareTo(PARTITIONS_INTERVAL) > 0) {
      makePartitions(session);
    }
    return active;
  }

  /** A failure to make partitions ends no stream: DEFAULT takes the rows meanwhile. */
  private void makePartitions(RelaySession session) throws SQLException {
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
      if (stream.awaitEnd(patience.plus(CLOSE_LIMIT))) {
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

  private static Duration elapsed(long sinceNanos) {
    return Duration.ofNanos(System.nanoTime() - sinceNanos);
  }

  /** Stops the stream, letting the batch in hand finish within the patience. Idempotent. */
  @Override
  public void close() {
    stopping = true;
    thread.interrupt();
    try {
      thread.join(drainPatience.plus(CLOSE_LIMIT).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    RelaySession session = openSession;
    if (session != null) {
      session.close(); // It waits for an answer that does not come.
    }
  }
}
