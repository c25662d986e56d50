/**
 * Where outbox rows come from: PostgreSQL's log, from the replication slot's confirmed position
 * onwards, in commit order. The only package that knows Debezium; {@link
 * dev.onceward.relay.capture.direct} does without.
 *
 * <p>Position has two truths only, the slot and Kafka. Nothing here remembers one: the engine's
 * offsets live in memory and die with it, so that each start begins where the slot stands.
 * (Searching the log by a remembered position has lost rows in the engine below us.)
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The slot is confirmed only for what a handler has returned from. The source does that; the
 *       driver's own confirming by keepalives is off.
 *   <li>Every failure ends the source. It never retries by itself and never skips a change; who
 *       runs it builds a new one.
 *   <li>After a restart at least the last confirmed transaction is delivered again.
 * </ul>
 *
 * <p>While a handler waits, a source may notice nothing, not even the end of the database: who runs
 * the source watches the database over another connection and closes the source.
 */
@NullMarked
package dev.onceward.relay.capture;

import org.jspecify.annotations.NullMarked;
