/**
 * What brings a task back: the wait between attempts and the loop that looks for what is due.
 *
 * <p>The table is authoritative, and the loop asks it in every workspace through a function that
 * gives out ids only. So Kafka may acknowledge an event whose task waits for a retry or runs in a
 * worker that will die: this loop takes the task up again. It has its own threads, and it looks
 * even when they are all busy, because its looks are also how an outage of the database is noticed.
 *
 * <p>Failure: while the database is away it looks on; several workers see the same ids, and the
 * claim decides between them.
 */
@NullMarked
package dev.onceward.worker.retry;

import org.jspecify.annotations.NullMarked;
