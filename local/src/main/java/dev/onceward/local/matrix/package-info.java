/**
 * {@code onceward crash-matrix}: at each named moment of an event's way, each party dies.
 *
 * <p>One repetition ({@link dev.onceward.local.matrix.Trial}) writes a little, brings the pipeline
 * to the moment and holds it there ({@link dev.onceward.local.matrix.Stage}), makes sure that it is
 * reached, kills with SIGKILL, lets go, starts again what is dead, writes a little more, waits for
 * rest, and compares. What is compared and how is the torture's: its ledger, its checks.
 *
 * <p><b>Moments are held from outside.</b> No hook is in any program of ours: a lock that a
 * superuser's connection holds, a broker, a worker or a walsender that is frozen by SIGSTOP, a
 * platform that takes its time, and what PostgreSQL, Kafka, the platform's books, the relay's
 * metrics and the kernel's socket queues then show. A moment that cannot be seen to be reached is
 * <i>missed</i>: it is tried again, and never counted. Locks and frozen processes end with what is
 * killed, or are let go right after it.
 *
 * <p><b>Needs</b> Linux, for {@code /proc/net/tcp} and to freeze PostgreSQL's processes, and the
 * right to send them signals: to run as root or as the servers' own user.
 *
 * <p><b>Who is authoritative.</b> The results file: one line for each repetition, appended when it
 * is over. A run continues where the file ends, of the same build only.
 *
 * <p><b>Failure.</b> A repetition that finds something leaves its pipeline's files behind and the
 * next one gets a new pipeline. One that breaks is written down as such and does not count.
 */
@NullMarked
package dev.onceward.local.matrix;

import org.jspecify.annotations.NullMarked;
