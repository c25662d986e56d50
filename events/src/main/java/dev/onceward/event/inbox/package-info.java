/**
 * For consumers outside of the product that have a database of their own: each event has its effect
 * there once, however often Kafka brings it.
 *
 * <p><b>Who is authoritative.</b> The inbox table of the consumer's own database. Its row for an
 * event is written in the transaction that holds the effect: both are there or neither is.
 *
 * <p><b>Invariants.</b> A topic offset is committed only after the transactions of all records
 * before it. Of two consumers that work on one event at the same time, the second waits for the
 * first at the inbox's primary key, and then finds it done or does it itself.
 *
 * <p><b>Failures.</b> Killed before the commit in the database: nothing stays, and the record comes
 * again. Killed after it and before the commit of the topic offset: the record comes again and is
 * passed over. Work that throws is rolled back and its record offered again by the next call. The
 * guarantee ends with the database: a call to the outside from inside the work can happen twice and
 * should carry the event's id as its idempotency key.
 *
 * <p>Needs PostgreSQL 9.5 or newer and nothing but {@code kafka-clients} besides.
 */
@NullMarked
package dev.onceward.event.inbox;

import org.jspecify.annotations.NullMarked;
