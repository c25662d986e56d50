package dev.onceward.relay.park;

import dev.onceward.db.relay.LeasedEvent;
import dev.onceward.db.relay.ParkedEvent;
import dev.onceward.db.relay.ParkedEventQueries;
import dev.onceward.db.relay.ParkedEventStore;
import dev.onceward.event.Envelope;
import dev.onceward.event.EnvelopeCodec;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.UndecodableRecordException;
import dev.onceward.event.route.EventRecord;
import dev.onceward.relay.publish.Acknowledged;
import dev.onceward.relay.publish.Attempt;
import dev.onceward.relay.publish.Refused;
import dev.onceward.relay.publish.RowPublisher;
import dev.onceward.relay.publish.TopicCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The leader's loop that sends parked events, on a thread of its own: topic by topic and workspace
 * by workspace. {@link #failure} and {@link #close} may be called by any thread.
 *
 * <p>A topic in trouble is tried with one event at a time; the first that arrives ends the trouble.
 */
final class ParkedEventRetrier implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(ParkedEventRetrier.class);

  private static final Duration INTERVAL = Duration.ofSeconds(1);
  private static final Duration LEASE = Duration.ofSeconds(30);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  /** Between looks at a topic that is refused or silent. */
  private static final Duration TOPIC_PAUSE = Duration.ofSeconds(5);

  private static final Duration IDLE_TROUBLE = Duration.ofSeconds(10);
  private static final Duration DEAD_LETTERS_INTERVAL = Duration.ofSeconds(10);
  private static final int BATCH_EVENTS = 500;

  private final ParkedSession session;
  private final ParkedIndex index;
  private final ParkingSettings settings;
  private final ParkedStatus status;
  private final RowPublisher publisher;
  private final Deliveries deliveries;
  private final Runnable beforeEachSend;
  private final Set<UUID> inKafkaAlready;
  private final ParkedEventStore store = new ParkedEventStore();
  private final ParkedEventQueries queries = new ParkedEventQueries();
  private final ParkedEventStore.Lease lease =
      new ParkedEventStore.Lease("relay " + UUID.randomUUID(), LEASE);
  private final Map<String, Long> topicRestsUntilNanos = new HashMap<>();
  private final Thread thread = new Thread(this::loop, "relay-parked");
  private final ScheduledExecutorService renewals =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread renewing = new Thread(task, "relay-parked-leases");
            renewing.setDaemon(true);
            return renewing;
          });
  private long deadLettersCountedNanos;
  private long deadLetters;
  private volatile @Nullable Exception failure;

  ParkedEventRetrier(
      ParkedSession session,
      ParkedIndex index,
      ParkingSettings settings,
      ParkedStatus status,
      RowPublisher publisher,
      Deliveries deliveries,
      Runnable beforeEachSend,
      Set<UUID> inKafkaAlready) {
    this.session = session;
    this.index = index;
    this.settings = settings;
    this.status = status;
    this.publisher = publisher;
    this.deliveries = deliveries;
    this.beforeEachSend = beforeEachSend;
    this.inKafkaAlready = new HashSet<>(inKafkaAlready);
    this.deadLettersCountedNanos = System.nanoTime() - DEAD_LETTERS_INTERVAL.toNanos();
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  /** What ended the loop unasked; the term then ends too. */
  Optional<Exception> failure() {
    return Optional.ofNullable(failure);
  }

  private void loop() {
    try {
      while (true) {
        if (!runOnce()) {
          Thread.sleep(INTERVAL.toMillis());
        }
      }
    } catch (InterruptedException e) {
      LOG.debug("The parked events' loop is asked to stop");
    } catch (Exception e) {
      // The thread's outermost guard: the supervisor ends the term.
      failure = e;
    } finally {
      renewals.shutdownNow();
      publisher.close();
    }
  }

  /** One pass over everything that is due. Whether there is more to do at once. */
  private boolean runOnce() throws InterruptedException {
    count();
    boolean more = false;
    for (ParkedEventQueries.Due due : session.ask(queries::due)) {
      if (mayTry(due.topic())) {
        more |= retry(due);
      }
    }
    return more;
  }

  private void count() {
    if (System.nanoTime() - deadLettersCountedNanos >= DEAD_LETTERS_INTERVAL.toNanos()) {
      deadLetters = session.ask(queries::dead);
      deadLettersCountedNanos = System.nanoTime();
    }
    status.seen(session.ask(queries::pending), deadLetters);
    index.idle(IDLE_TROUBLE).forEach(this::cleared);
  }

  private boolean mayTry(String topic) throws InterruptedException {
    Long until = topicRestsUntilNanos.get(topic);
    if (until != null && System.nanoTime() - until < 0) {
      return false;
    }
    if (index.trouble(topic) != null) {
      publisher.forget(topic);
    }
    TopicCatalog.Look look = publisher.look(topic);
    if (look.state() == TopicCatalog.State.REFUSED) {
      troubled(topic, look.trouble(), true);
    }
    if (look.state() != TopicCatalog.State.READY) {
      rest(topic);
    }
    return look.state() == TopicCatalog.State.READY;
  }

  private void rest(String topic) {
    topicRestsUntilNanos.put(topic, System.nanoTime() + TOPIC_PAUSE.toNanos());
  }

  /** Whether there may be more of it that is due. */
  private boolean retry(ParkedEventQueries.Due due) throws InterruptedException {
    int limit = index.trouble(due.topic()) == null ? BATCH_EVENTS : 1;
    beforeEachSend.run();
    List<LeasedEvent> claimed =
        session.write(
            due.workspaceId(),
            connection -> store.claim(connection, lease, due.workspaceId(), due.topic(), limit));
    Map<UUID, LeasedEvent> byId = new LinkedHashMap<>();
    List<UUID> delivered = new ArrayList<>();
    List<EventRecord> records = new ArrayList<>();
    List<UUID> unreadable = new ArrayList<>();
    for (LeasedEvent one : claimed) {
      UUID id = one.event().eventId();
      byId.put(id, one);
      if (inKafkaAlready.remove(id)) {
        delivered.add(id);
        continue;
      }
      try {
        records.add(record(one));
      } catch (IllegalArgumentException e) {
        unreadable.add(id);
      }
    }
    if (claimed.isEmpty()) {
      return false;
    }
    Attempt attempt =
        records.isEmpty()
            ? new Attempt(List.of(), List.of(), List.of(), Map.of(), Set.of(), null)
            : attemptRenewing(records, due.workspaceId());
    for (Acknowledged acknowledged : attempt.acknowledged()) {
      LeasedEvent one = byId.get(acknowledged.eventId());
      if (one != null) {
        // First the ledger: positions that pass over it must not be stored once its row is gone.
        deliveries.parkedDelivered(
            one.event().xid(),
            acknowledged.eventId(),
            acknowledged.partition(),
            acknowledged.offset());
        delivered.add(acknowledged.eventId());
      }
    }
    Map<UUID, ParkedEventStore.Failure> failures = failures(due.topic(), byId, attempt);
    for (UUID id : unreadable) {
      failures.put(
          id, failure(byId.get(id), true, true, Duration.ZERO, "its stored headers are no JSON"));
    }
    writeBack(due, byId, delivered, failures);
    return !delivered.isEmpty();
  }

  private EventRecord record(LeasedEvent leased) {
    ParkedEvent event = leased.event();
    EventRecord record =
        new EventRecord(
            event.eventId(),
            event.topic(),
            publisher.partitionOf(event.topic(), event.partitionKey()),
            event.key(),
            event.value(),
            ParkedHeaders.parse(event.headers()));
    UUID replayId = leased.replayId();
    return replayId == null
        ? record
        : record.withHeader(EventHeaders.REPLAY_ID, replayId.toString());
  }

  private Attempt attemptRenewing(List<EventRecord> records, UUID workspaceId)
      throws InterruptedException {
    List<UUID> ids = records.stream().map(EventRecord::eventId).toList();
    long every = LEASE.toMillis() / 3;
    ScheduledFuture<?> renewing =
        renewals.scheduleAtFixedRate(
            () -> session.write(workspaceId, connection -> store.renew(connection, lease, ids)),
            every,
            every,
            TimeUnit.MILLISECONDS);
    try {
      return publisher.attempt(records);
    } finally {
      renewing.cancel(false);
    }
  }

  private void writeBack(
      ParkedEventQueries.Due due,
      Map<UUID, LeasedEvent> byId,
      List<UUID> delivered,
      Map<UUID, ParkedEventStore.Failure> failures) {
    Set<UUID> gone = new HashSet<>(delivered);
    int kept =
        session.write(
            due.workspaceId(),
            connection -> {
              for (Map.Entry<UUID, ParkedEventStore.Failure> failed : failures.entrySet()) {
                ParkedEventStore.Failure how = failed.getValue();
                if (store.failed(connection, lease.owner(), failed.getKey(), how) && how.dead()) {
                  gone.add(failed.getKey());
                }
              }
              return store.delivered(connection, lease.owner(), delivered);
            });
    if (kept < delivered.size()) {
      LOG.warn(
          "{} leases of parked events had ended before Kafka answered; they may come twice",
          delivered.size() - kept);
    }
    byId.forEach(
        (id, one) -> {
          if (gone.contains(id) && one.replayId() == null) {
            ParkedEvent event = one.event();
            index.remove(
                event.topic(), new ParkedIndex.Key(event.workspaceId(), event.partitionKey()));
          }
        });
    status.delivered(delivered.size());
    status.died(gone.size() - delivered.size());
    if (!delivered.isEmpty()) {
      LOG.info("{} parked events of topic {} are delivered", delivered.size(), due.topic());
      cleared(due.topic());
    }
  }

  private Map<UUID, ParkedEventStore.Failure> failures(
      String topic, Map<UUID, LeasedEvent> byId, Attempt attempt) {
    Map<UUID, ParkedEventStore.Failure> failures = new LinkedHashMap<>();
    for (Refused refused : attempt.refused()) {
      UUID id = refused.record().eventId();
      failures.put(id, failure(byId.get(id), true, true, Duration.ZERO, refused.why()));
    }
    String refusal = attempt.refusedTopics().get(topic);
    boolean silent = attempt.silentTopics().contains(topic);
    if (refusal != null) {
      troubled(topic, refusal, true);
      rest(topic);
    } else if (silent) {
      troubled(topic, "topic " + topic + " acknowledges nothing although Kafka answers", false);
      rest(topic);
    }
    String trouble = attempt.trouble();
    String why = refusal != null ? refusal : trouble == null ? "not acknowledged" : trouble;
    for (EventRecord record : attempt.unacknowledged()) {
      UUID id = record.eventId();
      LeasedEvent one = byId.get(id);
      int made = one == null ? 1 : one.attempt();
      boolean dead = silent && made >= settings.maxAttempts();
      // Only a topic's silence costs an attempt: a refusal or an outage is nothing of the event's.
      Duration pause = silent ? pause(made) : FIRST_PAUSE;
      failures.put(id, failure(one, dead, silent, pause, why));
    }
    return failures;
  }

  private static ParkedEventStore.Failure failure(
      @Nullable LeasedEvent one, boolean dead, boolean counts, Duration pause, String why) {
    boolean permanent = dead && pause.isZero();
    String code = permanent ? ParkedEvents.PERMANENT_FAILURE : ParkedEvents.ENQUEUE_FAILED;
    String summary = ParkedEvents.sanitised(why);
    if (dead && one != null) {
      LOG.error(
          "Event {} (correlation id {}) is a dead letter after attempt {}, code {}, {}: {}",
          one.event().eventId(),
          correlationId(one.event()),
          one.attempt(),
          code,
          permanent ? "permanent" : "not permanent",
          summary);
    }
    return new ParkedEventStore.Failure(dead, counts, pause, code, summary);
  }

  private static @Nullable String correlationId(ParkedEvent event) {
    try {
      Envelope envelope = EnvelopeCodec.decode(event.value());
      return envelope.correlationId();
    } catch (UndecodableRecordException e) {
      return null;
    }
  }

  private static Duration pause(int attempt) {
    Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(attempt - 1, 20));
    return pause.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : pause;
  }

  private void troubled(String topic, String why, boolean refused) {
    if (index.troubled(topic, new ParkedIndex.Trouble(why, refused))) {
      LOG.warn("The parked events of topic {} wait: {}", topic, why);
    }
  }

  private void cleared(String topic) {
    topicRestsUntilNanos.remove(topic);
    if (index.cleared(topic)) {
      LOG.info("Topic {} takes events again", topic);
    }
  }

  /** Ends the loop where it stands; leases end by themselves. Idempotent. */
  @Override
  public void close() {
    thread.interrupt();
  }
}
