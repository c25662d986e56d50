package dev.onceward.relay.park;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.relay.ParkedEvent;
import dev.onceward.db.relay.ParkedEventStore;
import dev.onceward.db.secret.SecretGuard;
import dev.onceward.event.EventHeaders;
import dev.onceward.event.route.EventRecord;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.relay.publish.RowPublisher;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Puts events into {@code parked_events}. Thread-safe but for the publisher it is given. */
final class ParkedEvents {
  /** Kafka refuses the event for what it is. */
  static final String PERMANENT_FAILURE = "OUTBOX_PERMANENT_FAILURE";

  /** The event's topic does not take its events. */
  static final String ENQUEUE_FAILED = "OUTBOX_ENQUEUE_FAILED";

  private static final Logger LOG = LoggerFactory.getLogger(ParkedEvents.class);
  private static final int MAX_SUMMARY = 500;

  private final ParkedSession session;
  private final ParkedIndex index;
  private final ParkedStatus status;
  private final ParkedEventStore store = new ParkedEventStore();

  ParkedEvents(ParkedSession session, ParkedIndex index, ParkedStatus status) {
    this.session = session;
    this.index = index;
    this.status = status;
  }

  /** A summary that may be stored: short, and without what looks like a secret. */
  static String sanitised(String summary) {
    String shortened = summary.length() > MAX_SUMMARY ? summary.substring(0, MAX_SUMMARY) : summary;
    return SecretGuard.isSecretInText(shortened)
        ? "Kafka's message is withheld: it looks like a secret"
        : shortened.replace('\0', ' ');
  }

  /** The stored form of a row. */
  static ParkedEvent form(Departure departure, RowPublisher publisher, boolean repair) {
    OutboxRow row = departure.row();
    byte[] key = row.id().toString().getBytes(StandardCharsets.US_ASCII);
    byte[] value = new byte[0];
    String headers = "[]";
    try {
      EventRecord record = publisher.buildUnrouted(row);
      if (repair) {
        record = record.withHeader(EventHeaders.AUDIT_REPAIR, "true");
      }
      value = record.value();
      headers = ParkedHeaders.toJson(record.headers());
    } catch (IllegalArgumentException e) {
      LOG.debug("Event {} has no record form", row.id(), e);
    }
    return new ParkedEvent(
        row.id(),
        row.workspaceId(),
        departure.xid(),
        publisher.topicOf(row),
        publisher.keyOf(row),
        key,
        value,
        headers);
  }

  /** Parks events of a topic in trouble, in order; each is counted in the index already. */
  void pending(List<Departure> departures, RowPublisher publisher, boolean repair, String why) {
    ParkedEvent.Reason reason = new ParkedEvent.Reason(false, ENQUEUE_FAILED, sanitised(why));
    List<ParkedEvent> known = insert(departures, publisher, repair, reason);
    for (ParkedEvent event : known) {
      index.remove(event.topic(), new ParkedIndex.Key(event.workspaceId(), event.partitionKey()));
    }
    status.parked(departures.size() - known.size());
  }

  /** Parks an event that can never be sent. */
  void dead(Departure departure, RowPublisher publisher, boolean repair, String why) {
    ParkedEvent.Reason reason = new ParkedEvent.Reason(true, PERMANENT_FAILURE, sanitised(why));
    status.died(1 - insert(List.of(departure), publisher, repair, reason).size());
  }

  /** Those that were parked already. */
  private List<ParkedEvent> insert(
      List<Departure> departures,
      RowPublisher publisher,
      boolean repair,
      ParkedEvent.Reason reason) {
    Map<UUID, List<ParkedEvent>> byWorkspace = new LinkedHashMap<>();
    for (Departure departure : departures) {
      byWorkspace
          .computeIfAbsent(departure.row().workspaceId(), ignored -> new ArrayList<>())
          .add(form(departure, publisher, repair));
    }
    List<ParkedEvent> known =
        session.write(
            connection -> {
              List<ParkedEvent> parkedBefore = new ArrayList<>();
              for (Map.Entry<UUID, List<ParkedEvent>> one : byWorkspace.entrySet()) {
                WorkspaceContext.set(connection, one.getKey());
                List<Boolean> inserted = store.insert(connection, one.getValue(), reason);
                for (int i = 0; i < inserted.size(); i++) {
                  if (!inserted.get(i)) {
                    parkedBefore.add(one.getValue().get(i));
                  }
                }
              }
              return parkedBefore;
            });
    departures.forEach(departure -> log(departure.row(), reason));
    return known;
  }

  private static void log(OutboxRow row, ParkedEvent.Reason reason) {
    if (reason.permanent()) {
      LOG.error(
          "Event {} (correlation id {}) is a dead letter, code {}, permanent: {}",
          row.id(),
          row.correlationId(),
          reason.code(),
          reason.summary());
    } else {
      LOG.info(
          "Event {} (correlation id {}) is parked, code {}, not permanent: {}",
          row.id(),
          row.correlationId(),
          reason.code(),
          reason.summary());
    }
  }
}
