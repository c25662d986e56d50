/**
 * The relay's replication slot as PostgreSQL shows it: {@code onceward slot show|drop|recreate}.
 *
 * <p>The slot is PostgreSQL's own truth about how far the log is confirmed. Dropping it loses no
 * event: the relay makes a new one, and its audit compares the outbox with Kafka and fills what the
 * new slot does not bring. Only a role that may replicate drops or makes a slot, so that these two
 * log in a second time, as {@code onceward.ops.slot-user}.
 *
 * <p>Failure: a slot in use, of another database or of another plugin is refused before anything
 * changes. A slot that was dropped and could not be made again is said so and recorded; the relay
 * makes it at its next start.
 */
@NullMarked
package dev.onceward.ops.slot;

import org.jspecify.annotations.NullMarked;
