package dev.onceward.ops.event;

import dev.onceward.db.relay.RelayControl;
import dev.onceward.ops.event.EventLife.FoundRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Finds out why a thing is not finished. Stateless. */
final class Diagnosis {
  /** Within this time a queue, a relay and a worker may simply be at it. */
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Life life;
  private final RelayControl.@Nullable Relay relay;
  private final Instant now;

  private Diagnosis(Life life, RelayControl.@Nullable Relay relay, Instant now) {
    this.life = life;
    this.relay = relay;
    this.now = now;
  }

  /**
   * Judges a life.
   *
   * @param relay as it stands; null if none has ever run
   * @param now the database's time
   */
  static Why of(Life life, RelayControl.@Nullable Relay relay, Instant now) {
    return new Diagnosis(life, relay, now).judge();
  }

  private Why judge() {
    OperationLife operation = life.operation();
    EventLife event = life.newest();
    if (operation == null) {
      return event == null
          ? Why.finished("Finished: the request was answered, and no event is known that it wrote")
          : ofEventAlone(event);
    }
    String id = operation.id().toString();
    return switch (operation.state()) {
      case SUCCEEDED -> Why.finished("Finished: succeeded " + ago(operation.finishedAt()));
      case CANCELLED -> Why.finished("Finished: cancelled " + ago(operation.finishedAt()));
      case FAILED ->
          Why.helpedBy(
              "onceward dead-letters redrive " + id,
              "It failed for good "
                  + ago(operation.finishedAt())
                  + ": "
                  + error(operation.lastErrorCode(), operation.lastErrorSummary())
                  + ". Remove the cause, then run it anew");
      case DEAD ->
          Why.helpedBy(
              "onceward dead-letters redrive " + id,
              "All "
                  + operation.maxAttempts()
                  + " attempts are used up, the last "
                  + ago(operation.finishedAt())
                  + ": "
                  + error(operation.lastErrorCode(), operation.lastErrorSummary())
                  + ". Remove the cause, then run it anew");
      case WAITING_RETRY -> waiting(operation);
      case RUNNING -> running(operation);
      case QUEUED -> queued(operation, event);
    };
  }

  private Why waiting(OperationLife operation) {
    Instant due = operation.nextAttemptAt();
    String last =
        "Attempt "
            + operation.attempt()
            + " of "
            + operation.maxAttempts()
            + " failed ("
            + error(operation.lastErrorCode(), operation.lastErrorSummary())
            + ")";
    if (due == null || due.plus(PATIENCE).isAfter(now)) {
      return Why.waiting(last + "; the next begins by itself at " + due);
    }
    return Why.helpedBy(
        "onceward offsets show",
        last
            + "; the next was due "
            + ago(due)
            + ", and no worker takes it: "
            + workers(operation));
  }

  private Why running(OperationLife operation) {
    Instant until = operation.leaseExpiresAt();
    if (until == null || until.plus(PATIENCE).isAfter(now)) {
      return Why.waiting(
          "Worker "
              + operation.leaseOwner()
              + " is at it, attempt "
              + operation.attempt()
              + " of "
              + operation.maxAttempts()
              + "; if it died, another takes over after "
              + until);
    }
    return Why.helpedBy(
        "onceward offsets show",
        "The lease of worker "
            + operation.leaseOwner()
            + " ended "
            + ago(until)
            + ", and no worker takes it up: "
            + workers(operation));
  }

  private Why queued(OperationLife operation, @Nullable EventLife event) {
    if (event == null || (event.row() == null && event.parked() == null)) {
      return Why.helpedBy(
          "onceward offsets show",
          "It is queued, and the outbox has dropped its event by now; workers take it from the table: "
              + workers(operation));
    }
    Why undelivered = undelivered(event);
    if (undelivered != null) {
      return undelivered;
    }
    FoundRecord setAside = setAside(event);
    if (setAside != null) {
      return ofSetAside(setAside);
    }
    List<FoundRecord> delivered = event.delivered();
    String where =
        delivered.isEmpty()
            ? "It was delivered"
            : "It is in Kafka (" + delivered.get(0).place() + ")";
    return operation.updatedAt().plus(PATIENCE).isAfter(now)
        ? Why.waiting(where + ", and a worker will take it")
        : Why.helpedBy(
            "onceward offsets show",
            where
                + ", and no worker has taken it for "
                + age(operation.updatedAt())
                + ": "
                + workers(operation));
  }

  private Why ofEventAlone(EventLife event) {
    if (event.status().equals("dropped")) {
      return Why.finished("Finished: it was delivered, and the outbox keeps it no longer");
    }
    Why undelivered = undelivered(event);
    if (undelivered != null) {
      return undelivered;
    }
    FoundRecord setAside = setAside(event);
    return setAside != null
        ? ofSetAside(setAside)
        : Why.finished("Finished: it is in Kafka; no operation hangs on it");
  }

  /** Why the event has not left the outbox; null if it has. */
  private @Nullable Why undelivered(EventLife event) {
    EventLife.Parked parked = event.parked();
    String id = event.id().toString();
    if (parked != null) {
      String why = error(parked.code(), parked.summary());
      return switch (parked.status()) {
        case "pending" ->
            Why.helpedBy(
                "onceward dead-letters show " + id,
                "The relay could not send it to "
                    + parked.topic()
                    + " ("
                    + why
                    + ") and tries again by itself, next at "
                    + parked.nextAttemptAt());
        case "dead_letter" ->
            Why.helpedBy(
                "onceward dead-letters redrive " + id,
                "The relay has given it up after "
                    + parked.attempts()
                    + " attempts ("
                    + why
                    + "). Remove the cause, then send it again");
        default -> Why.finished("Finished: an operator has discarded the event");
      };
    }
    if (!event.delivered().isEmpty()) {
      return null;
    }
    if (event.status().equals("dispatched")) {
      return life.kafkaNote() != null || event.expected() == null
          ? null
          : Why.helpedBy(
              "onceward audit",
              "The relay has audited it, and Kafka does not hold it now: it expired there, or was"
                  + " deleted");
    }
    return relay == null ? noRelay() : ofRelay(relay, event);
  }

  private static Why noRelay() {
    return Why.helpedBy("onceward status", "It waits in the outbox: no relay has ever run here");
  }

  private Why ofRelay(RelayControl.Relay known, EventLife event) {
    Instant pausedAt = known.pausedAt();
    if (pausedAt != null) {
      return Why.helpedBy(
          "onceward relay resume",
          "It waits in the outbox: the relay is paused since "
              + pausedAt
              + " by "
              + known.pausedBy());
    }
    if (known.leaderPid() == null) {
      return Why.helpedBy(
          "onceward status", "It waits in the outbox: no relay leads. Start the relay");
    }
    EventLife.Row row = event.row();
    return row == null || row.transactionAt().plus(PATIENCE).isAfter(now)
        ? Why.waiting("It is on its way from the outbox to Kafka")
        : Why.helpedBy(
            "onceward status",
            "It waits in the outbox for "
                + age(row.transactionAt())
                + " although a relay leads; the relay's /health/ready names the reason");
  }

  private static @Nullable FoundRecord setAside(EventLife event) {
    FoundRecord newest = null;
    for (FoundRecord record : event.records()) {
      newest = record;
    }
    return newest != null && newest.deadLetterReason() != null ? newest : null;
  }

  private static Why ofSetAside(FoundRecord record) {
    return Why.helpedBy(
        "onceward dead-letters redrive "
            + record.topic()
            + "/"
            + record.partition()
            + "/"
            + record.topicOffset(),
        "A consumer has set it aside ("
            + record.deadLetterReason()
            + "). Remove the cause, then send it again");
  }

  private static String workers(OperationLife operation) {
    return "check that workers with a handler for "
        + operation.kind()
        + " run and are ready (/health/ready)";
  }

  private static String error(@Nullable String code, @Nullable String summary) {
    return (code == null ? "no code" : code) + (summary == null ? "" : ": " + summary);
  }

  private String ago(@Nullable Instant then) {
    return then == null ? "at an unknown time" : age(then) + " ago";
  }

  private String age(Instant then) {
    long seconds = Math.max(0, Duration.between(then, now).toSeconds());
    return seconds < 120
        ? seconds + " s"
        : seconds < 7_200 ? seconds / 60 + " min" : seconds / 3_600 + " h";
  }
}
