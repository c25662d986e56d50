/**
 * The workers' process: does what events ask for, once each.
 *
 * <p><b>Who is authoritative.</b> The row in {@code operations} alone says whether a task is done.
 * Kafka brings events early and often; the loop over due tasks brings what Kafka cannot (retries,
 * tasks of dead workers); both go through the same claim, and it does not matter which of them
 * wins.
 *
 * <p><b>Shape.</b> {@link dev.onceward.worker.Worker} wires by hand: {@code consume} polls and
 * keeps topic offsets, {@code RecordIntake} decides between a handler and the dead-letter topic,
 * {@code claim} claims, runs and finishes, {@code retry} looks for what is due, {@code handle} is
 * what a handler sees, {@code platform} is the handler that comes along.
 *
 * <p><b>Failures.</b> Neither the database nor Kafka may end the process or lose a task: records
 * stay uncommitted, ends of attempts are kept and written later, health is DOWN with the reason,
 * and all goes on by itself. What waiting cannot mend (a refused login, a role that row-level
 * security does not bind, missing migrations, handlers that contradict each other) ends the start
 * with one message. SIGTERM: nothing new is begun, what runs may end within the grace time, the
 * rest goes back to the queue and its attempt does not count.
 */
@NullMarked
package dev.onceward.worker;

import org.jspecify.annotations.NullMarked;
