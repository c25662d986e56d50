package dev.onceward.relay.park;

import dev.onceward.event.EventHeaders;
import dev.onceward.event.route.EventRecord;
import dev.onceward.relay.publish.Acknowledged;
import dev.onceward.relay.publish.Attempt;
import dev.onceward.relay.publish.PublishStatus;
import dev.onceward.relay.publish.Refused;
import dev.onceward.relay.publish.RowPublisher;
import dev.onceward.relay.publish.TopicCatalog;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sees each row into Kafka or into {@code parked_events}. Confined to one thread. */
public final class EventDispatcher {
  private static final Logger LOG = LoggerFactory.getLogger(EventDispatcher.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final RowPublisher publisher;
  private final ParkedEvents parked;
  private final ParkedIndex index;
  private final ParkingSettings settings;
  private final PublishStatus status;
  private final Runnable beforeEachSend;
  private final Map<String, Long> notReadySinceNanos = new HashMap<>();
  private @Nullable String loggedTrouble;

  EventDispatcher(
      RowPublisher publisher,
      ParkedEvents parked,
      ParkedIndex index,
      ParkingSettings settings,
      PublishStatus status,
      Runnable beforeEachSend) {
    this.publisher = publisher;
    this.parked = parked;
    this.index = index;
    this.settings = settings;
    this.status = status;
    this.beforeEachSend = beforeEachSend;
  }

  /**
   * Returns when every row is acknowledged or parked, however long that takes.
   *
   * @param repair whether the records are marked as late, because an audit found them missing
   * @throws InterruptedException at once on an interrupt; some may have been written
   * @throws dev.onceward.relay.slot.SessionBrokenException if the term is over
   */
  public Dispatched dispatch(List<Departure> rows, boolean repair) throws InterruptedException {
    List<Acknowledged> acknowledged = new ArrayList<>(rows.size());
    Set<UUID> inParking = new HashSet<>();
    List<Departure> remaining = rows;
    while (true) {
      beforeEachSend.run();
      Pass pass = decide(remaining);
      // First sent, then parked: a row that could not be sent stands before those parked here.
      Set<UUID> unsent = send(pass, repair, acknowledged, inParking);
      for (Map.Entry<String, List<Departure>> one : pass.park.entrySet()) {
        parked.pending(one.getValue(), publisher, repair, why(one.getKey()));
        one.getValue().forEach(departure -> inParking.add(departure.row().id()));
      }
      unsent.addAll(pass.waiting);
      if (unsent.isEmpty()) {
        loggedTrouble = null;
        return new Dispatched(acknowledged, inParking);
      }
      boolean decidesAnew = pass.topicsTroubled;
      remaining = remaining.stream().filter(row -> unsent.contains(row.row().id())).toList();
      if (!decidesAnew) {
        Thread.sleep(PAUSE.toMillis());
      }
    }
  }

  /** What one pass does with its rows. */
  private static final class Pass {
    final List<Departure> send = new ArrayList<>();
    final Map<String, List<Departure>> park = new HashMap<>();
    final Set<UUID> waiting = new HashSet<>();
    boolean topicsTroubled;
  }

  private Pass decide(List<Departure> rows) {
    Pass pass = new Pass();
    Map<String, Map<ParkedIndex.Key, ParkedIndex.Decision>> made = new HashMap<>();
    Set<String> full = new HashSet<>();
    Set<String> touched = index.touched();
    for (Departure departure : rows) {
      String topic = publisher.topicOf(departure.row());
      // Decisions of a pass hold to its end, else an event could overtake one of its key.
      if (!touched.contains(topic)) {
        pass.send.add(departure);
        continue;
      }
      ParkedIndex.Key key = key(departure);
      Map<ParkedIndex.Key, ParkedIndex.Decision> ofTopic =
          made.computeIfAbsent(topic, ignored -> new HashMap<>());
      ParkedIndex.Decision decision = ofTopic.get(key);
      if (decision == null || decision == ParkedIndex.Decision.PARK) {
        // After a PARK it is never SEND: the event before this one counts and cannot leave yet.
        decision = index.decide(topic, key);
      }
      if (decision != ParkedIndex.Decision.SEND && full.contains(topic)) {
        if (decision == ParkedIndex.Decision.PARK) {
          index.remove(topic, key);
        }
        decision = ParkedIndex.Decision.WAIT;
      }
      ofTopic.put(key, decision);
      switch (decision) {
        case SEND -> pass.send.add(departure);
        case PARK -> pass.park.computeIfAbsent(topic, ignored -> new ArrayList<>()).add(departure);
        case WAIT -> {
          full.add(topic);
          pass.waiting.add(departure.row().id());
        }
      }
    }
    full.forEach(topic -> trouble(full(topic)));
    return pass;
  }

  private ParkedIndex.Key key(Departure departure) {
    return new ParkedIndex.Key(departure.row().workspaceId(), publisher.keyOf(departure.row()));
  }

  private String full(String topic) {
    return settings.ordering() == Ordering.STRICT
        ? "topic " + topic + " has parked events, and onceward.relay.ordering is strict"
        : index.pending(topic)
            + " events of topic "
            + topic
            + " are parked, more are not taken: "
            + why(topic);
  }

  private String why(String topic) {
    ParkedIndex.Trouble trouble = index.trouble(topic);
    return trouble == null ? "behind a parked event of the same aggregate" : trouble.text();
  }

  /** Sends what may be sent; what must be sent again or decided anew is returned. */
  private Set<UUID> send(
      Pass pass, boolean repair, List<Acknowledged> acknowledged, Set<UUID> inParking)
      throws InterruptedException {
    Set<UUID> unsent = new HashSet<>();
    if (pass.send.isEmpty()) {
      return unsent;
    }
    Map<String, String> illegal = new HashMap<>();
    Set<String> ready = readyTopics(pass, illegal);
    List<EventRecord> records = new ArrayList<>(pass.send.size());
    for (Departure departure : pass.send) {
      UUID id = departure.row().id();
      String topic = publisher.topicOf(departure.row());
      String never = illegal.get(topic);
      if (never != null) {
        die(departure, repair, never, inParking);
        continue;
      }
      if (!ready.contains(topic)) {
        unsent.add(id);
        continue;
      }
      try {
        EventRecord record = publisher.build(departure.row());
        records.add(repair ? record.withHeader(EventHeaders.AUDIT_REPAIR, "true") : record);
      } catch (IllegalArgumentException e) {
        die(departure, repair, "the row has no record form", inParking);
      }
    }
    if (!records.isEmpty()) {
      Attempt attempt = publisher.attempt(records);
      acknowledged.addAll(attempt.acknowledged());
      if (!attempt.refused().isEmpty()) {
        bury(attempt.refused(), pass, repair, inParking);
      }
      attempt.unacknowledged().forEach(record -> unsent.add(record.eventId()));
      judge(attempt, pass);
    }
    return unsent;
  }

  private void bury(List<Refused> refused, Pass pass, boolean repair, Set<UUID> inParking) {
    Map<UUID, String> reasons = new HashMap<>();
    refused.forEach(one -> reasons.put(one.record().eventId(), one.why()));
    for (Departure departure : pass.send) {
      String why = reasons.get(departure.row().id());
      if (why != null) {
        die(departure, repair, why, inParking);
      }
    }
  }

  private void die(Departure departure, boolean repair, String why, Set<UUID> inParking) {
    parked.dead(departure, publisher, repair, why);
    inParking.add(departure.row().id());
  }

  private Set<String> readyTopics(Pass pass, Map<String, String> illegal)
      throws InterruptedException {
    Set<String> wanted = new LinkedHashSet<>();
    pass.send.forEach(departure -> wanted.add(publisher.topicOf(departure.row())));
    Set<String> ready = new HashSet<>();
    for (String topic : wanted) {
      TopicCatalog.Look look = publisher.look(topic);
      switch (look.state()) {
        case READY -> {
          ready.add(topic);
          notReadySinceNanos.remove(topic);
        }
        case ILLEGAL -> illegal.put(topic, look.trouble());
        case REFUSED -> troubled(topic, look.trouble(), true, pass);
        case NOT_YET -> {
          long since = notReadySinceNanos.computeIfAbsent(topic, ignored -> System.nanoTime());
          if (status.isSilent(since, settings.streamPatience())) {
            troubled(topic, look.trouble(), false, pass);
          } else {
            trouble(look.trouble());
          }
        }
      }
    }
    return ready;
  }

  private void judge(Attempt attempt, Pass pass) {
    attempt.refusedTopics().forEach((topic, why) -> troubled(topic, why, true, pass));
    for (String topic : attempt.silentTopics()) {
      String why =
          "topic "
              + topic
              + " has acknowledged nothing for "
              + settings.topicPatience().toSeconds()
              + " s although Kafka answers";
      troubled(topic, why, false, pass);
    }
    String why = attempt.trouble();
    if (!attempt.unacknowledged().isEmpty() && why != null && !pass.topicsTroubled) {
      trouble(why);
    }
  }

  private void troubled(String topic, String why, boolean refused, Pass pass) {
    if (settings.ordering() == Ordering.STRICT) {
      trouble(why);
      return;
    }
    pass.topicsTroubled = true;
    notReadySinceNanos.remove(topic);
    if (index.troubled(topic, new ParkedIndex.Trouble(why, refused))) {
      LOG.warn("The events of topic {} are parked until it takes one again: {}", topic, why);
    }
  }

  private void trouble(String why) {
    status.retry(why);
    if (!why.equals(loggedTrouble)) {
      LOG.warn("Events are not acknowledged and are sent again: {}", why);
      loggedTrouble = why;
    }
  }
}
