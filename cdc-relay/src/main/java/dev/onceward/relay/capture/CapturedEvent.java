package dev.onceward.relay.capture;

import dev.onceward.event.route.OutboxRow;
import java.time.Instant;

/**
 * One committed outbox row. Immutable.
 *
 * @param row the published columns
 * @param xid the lower 32 bits of its transaction's id: the log holds no more
 * @param lsn where the insert stands in the log; not the LSN of its commit
 * @param committedAt when its transaction committed, by the database's clock
 */
public record CapturedEvent(OutboxRow row, long xid, long lsn, Instant committedAt) {}
