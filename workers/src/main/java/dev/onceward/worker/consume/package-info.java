/**
 * Reads records from Kafka and has each of them dealt with once it can be.
 *
 * <p><b>Who is authoritative.</b> The committed topic offset says only which records this group
 * need not see again; whether a task is done is said by its operation alone. So a commit may always
 * come late or be lost, and must never come early: {@link
 * dev.onceward.worker.consume.PartitionProgress} commits the lowest topic offset that is not
 * finished.
 *
 * <p><b>Invariants.</b> The polling thread never waits for work. At most {@code concurrency}
 * deliveries run at a time; deliveries of one lane run one after another in the order of their
 * arrival; a delivery that has to wait for its time holds its lane but no thread.
 *
 * <p><b>Failures.</b> Kafka away: polls return nothing, commits fail and are repeated. Member
 * thrown out of its group: what waits is forgotten, what runs goes on under its lease, and whoever
 * has the partition now finds it running elsewhere (there the next record of that lane may begin
 * before it ends). Process killed: records since the lowest unfinished one come again.
 */
@NullMarked
package dev.onceward.worker.consume;

import org.jspecify.annotations.NullMarked;
