package dev.onceward.relay.park;

import dev.onceward.event.route.OutboxRow;

/**
 * A row that must leave. Immutable.
 *
 * @param row the row
 * @param xid the transaction that wrote it
 */
public record Departure(OutboxRow row, long xid) {}
