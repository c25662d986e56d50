/**
 * {@code onceward torture}: the guarantees, put to the proof under faults.
 *
 * <p>Writers write through the API and straight by SQL while a seeded schedule kills, freezes and
 * restarts every part. Each writer books what it did in the {@link
 * dev.onceward.local.torture.WriteLedger}; the pipeline's own tables are not believed for that. A
 * commit whose answer was lost is booked as <i>unknown</i> and settled at the end by looking
 * whether its rows are there, which is the only thing an outsider can do.
 *
 * <p><b>Who is authoritative.</b> For what was written: the ledger, for requests the answers that
 * the clients got. For what arrived: Kafka, read from the beginning without a group. For effects:
 * the platform's own books. The checks are plain functions of these three, so that tests can hand
 * them a lost, phantom, repeated, overtaken or twice-effected event and expect to see it found.
 *
 * <p><b>Seed.</b> It decides what the writers write and which faults come in which order. It cannot
 * decide when the operating system runs whom: the same seed gives the same attack, not the same
 * interleaving.
 *
 * <p><b>Memory.</b> Every event takes some 250 bytes until the end: an hour at the built-in pace
 * fits into 512 MB.
 *
 * <p><b>Failure.</b> A part that ends by itself or cannot be started is started again and again,
 * and counted. A pipeline that does not come to rest within the limit has broken a guarantee of its
 * own, and the others are judged all the same.
 */
@NullMarked
package dev.onceward.local.torture;

import org.jspecify.annotations.NullMarked;
