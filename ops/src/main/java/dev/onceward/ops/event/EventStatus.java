package dev.onceward.ops.event;

import java.util.Locale;

/** How far an event is, as the view {@code outbox_event_status} says it. */
public enum EventStatus {
  /** Not proven to be in Kafka yet. */
  PENDING(
      "p.event_id IS NULL AND NOT coalesce(pg_visible_in_snapshot(e.xid, audited.snapshot), false)"
          // By the index: nothing older than the oldest transaction that was running can be
          // pending.
          + " AND e.xid >= (SELECT coalesce(pg_snapshot_xmin(onceward.audited_snapshot()), '0'::xid8))"),
  /** Proven to be in Kafka. */
  DISPATCHED("p.event_id IS NULL AND pg_visible_in_snapshot(e.xid, audited.snapshot)"),
  /** The relay could not send it and tries again. */
  PARKED("p.status = 'pending'"),
  /** The relay could not send it and has given up. */
  DEAD_LETTER("p.status = 'dead_letter'"),
  /** An operator has given it up. */
  DISCARDED("p.status = 'discarded'");

  private final String condition;

  EventStatus(String condition) {
    this.condition = condition;
  }

  /** Over outbox_events e, parked_events p and audited.snapshot. */
  String condition() {
    return condition;
  }

  /** The name in the view. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
