package dev.onceward.relay.slot;

/** What the relay does about a slot for which PostgreSQL has removed log. */
public enum SlotLoss {
  /**
   * Drops the slot and makes it again; the audit fills the gap from the table. Failure: the events
   * of the gap come late and marked, and an event that was deleted before the audit saw it is gone.
   */
  REPAIR,
  /**
   * Stops and names the recovery. Failure: nothing is sent until an operator has acted; the outbox
   * keeps all events meanwhile.
   */
  STOP
}
