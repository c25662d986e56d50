/**
 * {@code onceward replay}: events of the outbox are sent again, as they were.
 *
 * <p>The outbox row is the original: the record is built from it as the relay builds it, so that
 * key, value, headers and partition are the same, and the header {@code replay_id} is added. Chosen
 * are the rows that {@code outbox_event_status} shows as dispatched when the replay begins; the
 * snapshot of that moment is kept, so that what is written meanwhile stays out, however long it
 * takes. They are sent in the order of their ids.
 *
 * <p>The table {@code replays} is the truth about how far one has come. It moves after the
 * acknowledgements of a page and only forward, together with where the partitions ended: behind
 * these positions stand only records that are not counted. Whoever resumes reads them back from
 * there, and leaves out what Kafka holds of this replay: no gap, no overlap. One process at a time,
 * which holds an advisory lock; a process whose lock was lost cannot record progress.
 *
 * <p>Workers treat a replayed record as any other: the operation's state says whether there is
 * something left to do.
 *
 * <p>Failure: Kafka away for 30 s stops the replay, SIGINT and SIGTERM stop it between two pages,
 * SIGKILL leaves it running without a process (shown as abandoned); each can be resumed. A record
 * that Kafka will never take is counted and passed over. Rows that the retention takes before their
 * turn are counted as gone. Refusals come before anything is changed.
 */
@NullMarked
package dev.onceward.ops.replay;

import org.jspecify.annotations.NullMarked;
