/**
 * The relay's own session with the database, and what it looks after there: the replication slot,
 * the publication, the outbox's partitions.
 *
 * <p>The session is the relay's detector of a dead database: the replication stream notices nothing
 * while its handler waits for Kafka. When the session breaks, the stream is closed and everything
 * begins anew.
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
