package dev.onceward.relay.park;

import dev.onceward.db.relay.ParkedEventQueries;
import dev.onceward.db.relay.Snapshot;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.publish.RowPublisher;
import dev.onceward.relay.slot.NotPreparedException;
import dev.onceward.relay.slot.RelaySession;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * All that one term parks. Made and closed by the supervisor's thread; {@link #begin} and {@link
 * #dispatcher} belong to the stream's.
 */
public final class Parking implements AutoCloseable {
  /** The loop's patience with one attempt: others wait behind it. */
  private static final Duration RETRY_PATIENCE = Duration.ofSeconds(10);

  private final ParkedSession session;
  private final ParkingSettings settings;
  private final ParkedIndex index;
  private final ParkedEvents events;
  private final ParkedStatus status;
  private final Function<Duration, RowPublisher> publishers;
  private final Runnable requireLead;
  private volatile @Nullable ParkedEventRetrier retrier;

  /** Opens sessions with the database. */
  @FunctionalInterface
  public interface Sessions {
    RelaySession open() throws SQLException, NotPreparedException;
  }

  private Parking(
      ParkedSession session,
      ParkingSettings settings,
      ParkedStatus status,
      Function<Duration, RowPublisher> publishers,
      Runnable requireLead) {
    this.session = session;
    this.settings = settings;
    this.index = new ParkedIndex(settings);
    this.events = new ParkedEvents(session, index, status);
    this.status = status;
    this.publishers = publishers;
    this.requireLead = requireLead;
    status.termBegan(index);
  }

  /**
   * Opens what a term needs for parking.
   *
   * @param term the session that holds the lock
   * @param sessions opens another one with the same database
   * @param publishers makes a publisher with that patience with a silent topic
   * @param requireLead throws if this relay no longer leads
   */
  public static Parking open(
      RelaySession term,
      Sessions sessions,
      ParkingSettings settings,
      ParkedStatus status,
      Function<Duration, RowPublisher> publishers,
      Runnable requireLead)
      throws SQLException, NotPreparedException {
    return new Parking(
        ParkedSession.open(term, sessions::open), settings, status, publishers, requireLead);
  }

  /**
   * Learns what is parked, tells the term, and starts to send it again.
   *
   * @param audited what needs no telling
   */
  public void begin(Snapshot audited, Deliveries deliveries) {
    Set<UUID> inKafkaAlready = new HashSet<>();
    ParkedEventQueries queries = new ParkedEventQueries();
    for (ParkedEventQueries.Known known :
        session.ask(connection -> queries.known(connection, audited))) {
      if (known.unaudited()) {
        deliveries.parked(known.xid(), known.eventId());
      }
      if (known.holdsUp()) {
        index.add(known.topic(), new ParkedIndex.Key(known.workspaceId(), known.partitionKey()));
      }
      if (known.pending() && deliveries.inKafka(known.eventId())) {
        // An earlier term has sent it and could not say so any more.
        inKafkaAlready.add(known.eventId());
      }
    }
    Duration patience =
        settings.topicPatience().compareTo(RETRY_PATIENCE) < 0
            ? settings.topicPatience()
            : RETRY_PATIENCE;
    ParkedEventRetrier begun =
        new ParkedEventRetrier(
            session,
            index,
            settings,
            status,
            publishers.apply(patience),
            deliveries,
            requireLead,
            inKafkaAlready);
    retrier = begun;
    begun.start();
  }

  /**
   * For one thread that has rows to send.
   *
   * @param publisher that thread's
   * @param publishing is told what goes wrong
   */
  public EventDispatcher dispatcher(RowPublisher publisher, PublishStatus publishing) {
    return new EventDispatcher(publisher, events, index, settings, publishing, requireLead);
  }

  /** What ended the loop unasked; the term then ends too. */
  public Optional<Exception> failure() {
    ParkedEventRetrier begun = retrier;
    return begun == null ? Optional.empty() : begun.failure();
  }

  /** Ends the loop. Idempotent. */
  @Override
  public void close() {
    ParkedEventRetrier begun = retrier;
    if (begun != null) {
      begun.close();
    }
    status.termEnded();
    session.close();
  }
}
