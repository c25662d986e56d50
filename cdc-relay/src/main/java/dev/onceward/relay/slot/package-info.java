/**
 * The relay's own session with the database, and what it looks after there: the replication slot,
 * the publication, the outbox's partitions.
 *
 * <p>The session is the relay's detector of a dead database: the replication stream notices nothing
 * while its handler waits for Kafka. When the session breaks, the stream is closed and everything
 * begins anew.
 *
 * <p>A lost slot is dropped and made again, or stops the relay ({@link
 * dev.onceward.relay.slot.SlotLoss}); before streaming it is moved forward to what is known to be
 * delivered. Partitions are made ahead and dropped after the retention, never while a writer would
 * have to wait for more than a moment, and never before every row is audited ({@link
 * dev.onceward.relay.slot.PartitionRetention}).
 *
 * <p>The slot is made and checked here and nowhere else: the engine would silently make a missing
 * one at the end of the log. Before each start the relay checks what the stream stands on ({@link
 * dev.onceward.relay.slot.Preflight}). Failure: {@link
 * dev.onceward.relay.slot.NotPreparedException} is for an operator to mend and names the remedy;
 * {@link java.sql.SQLException} is for the next attempt.
 */
@NullMarked
package dev.onceward.relay.slot;

import org.jspecify.annotations.NullMarked;
