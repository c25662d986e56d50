package dev.onceward.relay;

import dev.onceward.db.SqlStates;
import dev.onceward.db.relay.RelayControl;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import dev.onceward.relay.audit.AuditMetrics;
import dev.onceward.relay.capture.CaptureSettings;
import dev.onceward.relay.capture.ChangeSource;
import dev.onceward.relay.lead.Leadership;
import dev.onceward.relay.park.ParkedStatus;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.slot.NotPreparedException;
import dev.onceward.relay.slot.Preflight;
import dev.onceward.relay.slot.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs one term after another until it is stopped, and stands by in between. Its thread owns
 * everything that a round opens.
 */
final class StreamSupervisor implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(StreamSupervisor.class);

  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(10);

  /** How often one that stands by asks for the lock. */
  private static final Duration STAND_BY_INTERVAL = Duration.ofMillis(500);

  private final RelayConfig config;
  private final RelayStatus status;
  private final PublishStatus publishing;
  private final RelayMetrics metrics;
  private final AuditMetrics auditMetrics;
  private final ParkedStatus parked;
  private final Duration drainPatience;
  private final Consumer<RuntimeException> onFatal;
  private final Function<CaptureSettings, ChangeSource> sources;
  private final Backoff backoff = new Backoff();
  private final Thread thread = new Thread(this::loop, "relay-supervisor");

  private volatile boolean stopping;
  private volatile @Nullable RelaySession openSession;
  private boolean everStreamed;

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
      AuditMetrics auditMetrics,
      ParkedStatus parked,
      Duration drainPatience,
      Consumer<RuntimeException> onFatal,
      Function<CaptureSettings, ChangeSource> sources) {
    this.config = config;
    this.status = status;
    this.publishing = publishing;
    this.metrics = metrics;
    this.auditMetrics = auditMetrics;
    this.parked = parked;
    this.drainPatience = drainPatience;
    this.onFatal = onFatal;
    this.sources = sources;
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
      if (!stopping && !status.paused()) {
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

  private void runStream() throws Exception {
    try (RelaySession session =
        RelaySession.open(config.jdbcUrl(), config.user(), config.password())) {
      openSession = session;
      status.databaseAnswered();
      Preflight.check(session);
      awaitLeadership(session);
      Term term =
          new Term(
              config,
              session,
              status,
              publishing,
              metrics,
              auditMetrics,
              parked,
              () -> {
                everStreamed = true;
                backoff.reset();
              });
      try {
        term.run(sources, drainPatience);
      } catch (Exception e) {
        // Whatever showed it first: a leader that has lost its lock unawares must not go on.
        if (e instanceof SQLException sql) {
          session.note(sql);
        }
        if (!stopping && session.endedByIdleTimeout()) {
          throw new StartupException(
              ExitCode.FAILURE,
              "The relay stood still for seconds and has lost its leadership to the server's"
                  + " idle_session_timeout",
              "Start it again; another relay may be leading meanwhile, and nothing is lost",
              e);
        }
        throw e;
      } finally {
        if (!stopping) {
          status.restarted();
        }
      }
    } finally {
      openSession = null;
    }
  }

  /** Stands by until no operator has paused the relay and this session holds the lock. */
  private void awaitLeadership(RelaySession session)
      throws SQLException, NotPreparedException, InterruptedException {
    while (true) {
      boolean paused = session.ask(c -> RelayControl.isPaused(c, config.slotName()));
      if (!paused && Leadership.tryAcquire(session, config.slotName())) {
        return;
      }
      everStreamed = true;
      backoff.reset();
      if (paused) {
        status.pause();
      } else {
        status.standingBy();
      }
      Thread.sleep(STAND_BY_INTERVAL.toMillis());
    }
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
