package dev.onceward.ops.replay;

import dev.onceward.event.route.OutboxRow;
import java.time.Duration;
import java.time.Instant;
import java.util.StringJoiner;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Which events an operator wants; all that is named must hold. Immutable.
 *
 * @param from no event before it; the time is the one inside the event's id, to the millisecond
 * @param to no event at it or after it
 * @param fromXid no event of a transaction before it
 * @param toXid no event of a transaction after it
 * @param fromEvent no event with a lower id
 * @param toEvent no event with a higher id
 * @param eventType of that type only
 * @param aggregateType of that aggregate type only
 * @param aggregateId of that aggregate only; never without its type
 * @param workspaceId of that workspace only
 */
public record EventSelection(
    @Nullable Instant from,
    @Nullable Instant to,
    @Nullable Long fromXid,
    @Nullable Long toXid,
    @Nullable UUID fromEvent,
    @Nullable UUID toEvent,
    @Nullable String eventType,
    @Nullable String aggregateType,
    @Nullable String aggregateId,
    @Nullable UUID workspaceId) {

  /** The outbox takes no event from that time on: its year would have five digits. */
  private static final Instant END_OF_TIME = Instant.parse("9999-12-31T23:59:59.999Z");

  private static final UUID LOWEST = new UUID(0, 0);
  private static final UUID HIGHEST = new UUID(-1L, -1L);

  /**
   * Checks that an event can be in it.
   *
   * @throws IllegalArgumentException saying what contradicts what
   */
  public EventSelection {
    requireTime("from", from);
    requireTime("to", to);
    if (from != null && to != null && !from.isBefore(to)) {
      throw new IllegalArgumentException("from " + from + " is not before " + to + ": empty");
    }
    if ((fromXid != null && fromXid < 0) || (toXid != null && toXid < 0)) {
      throw new IllegalArgumentException("a transaction id is not negative");
    }
    if (fromXid != null && toXid != null && fromXid > toXid) {
      throw new IllegalArgumentException(
          "from transaction " + fromXid + " lies behind " + toXid + ": empty");
    }
    if (aggregateId != null && aggregateType == null) {
      throw new IllegalArgumentException("an aggregate's id needs its type");
    }
    if (lowest(from, fromEvent).toString().compareTo(highest(to, toEvent).toString()) > 0) {
      throw new IllegalArgumentException(
          fromEvent != null && toEvent != null
              ? "from event " + fromEvent + " lies behind " + toEvent + ": empty"
              : "the range of times and the range of event ids do not meet: empty");
    }
  }

  private static void requireTime(String name, @Nullable Instant time) {
    if (time != null && (time.isBefore(Instant.EPOCH) || time.isAfter(END_OF_TIME))) {
      throw new IllegalArgumentException(name + " " + time + " is no time an event can have");
    }
  }

  /** The lowest id that is in it. */
  UUID lowestId() {
    return lowest(from, fromEvent);
  }

  /** The highest id that is in it. */
  UUID highestId() {
    return highest(to, toEvent);
  }

  /** Whether it names nothing, so that every event is in it. */
  public boolean holdsEverything() {
    return equals(new EventSelection(null, null, null, null, null, null, null, null, null, null));
  }

  /** In an operator's words. */
  public String text() {
    StringJoiner words = new StringJoiner(", ");
    word(words, "from ", from);
    word(words, "before ", to);
    word(words, "from transaction ", fromXid);
    word(words, "up to transaction ", toXid);
    word(words, "from event ", fromEvent);
    word(words, "up to event ", toEvent);
    word(words, "type ", eventType);
    word(words, "aggregate ", aggregateId == null ? aggregateType : null);
    word(words, "aggregate " + aggregateType + "/", aggregateId);
    word(words, "workspace ", workspaceId);
    return words.length() == 0 ? "all" : words.toString();
  }

  private static void word(StringJoiner words, String name, @Nullable Object value) {
    if (value != null) {
      words.add(name + value);
    }
  }

  private static UUID lowest(@Nullable Instant from, @Nullable UUID fromEvent) {
    UUID byTime = from == null ? LOWEST : new UUID(milliseconds(from) << 16, 0);
    return fromEvent == null || isLower(fromEvent, byTime) ? byTime : fromEvent;
  }

  private static UUID highest(@Nullable Instant to, @Nullable UUID toEvent) {
    // All ids of the millisecond before it.
    UUID byTime = to == null ? HIGHEST : new UUID((milliseconds(to) << 16) - 1, -1L);
    return toEvent == null || isLower(byTime, toEvent) ? byTime : toEvent;
  }

  /** As PostgreSQL compares them; {@link UUID#compareTo} takes the halves as signed. */
  private static boolean isLower(UUID one, UUID other) {
    return one.toString().compareTo(other.toString()) < 0;
  }

  /** The first whole millisecond at the time or after it (see {@link OutboxRow#occurredAt}). */
  private static long milliseconds(Instant time) {
    return time.plus(Duration.ofNanos(999_999)).toEpochMilli();
  }
}
