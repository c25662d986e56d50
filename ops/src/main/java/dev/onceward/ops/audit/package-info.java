/**
 * {@code onceward audit}: outbox, Kafka and operations compared over a range of time, from outside
 * the relay and without trusting it.
 *
 * <p>An event belongs to the range by the time inside its id, so that rows, records and operations
 * are cut alike. The rows come first, then where each partition ends, then the records up to there:
 * an event that the relay has audited was in Kafka before its row was read, so that its absence
 * means something. A record without a row is looked up once more before it counts, since its row
 * may be younger than the first reading.
 *
 * <p>Memory is bounded: the range is cut into portions of at most 500,000 rows ({@code --portion}),
 * for each of which Kafka is read once, from the portion's time to the end. A row takes 53 bytes
 * and its aggregate 24 at most; arrays grow by doubling, so that a portion takes less than 100 MB,
 * whatever the range. The order of an aggregate is compared within a portion and with the last
 * 100,000 rows of the one before.
 *
 * <p>It reads as {@code onceward_ops_read}, takes no lock, joins no consumer group and commits
 * nothing.
 *
 * <p>Failure: what was found and what could not be told are different answers. Exit code 0 means
 * that every event of the range is in Kafka or visibly parked, that nothing else is there, that the
 * order holds and that nothing hangs; 1 that something contradicts it; 5 that nothing does, but not
 * all could be seen (not audited yet, expired, older than the outbox reaches, order not decidable);
 * 4 that PostgreSQL or Kafka is away.
 */
@NullMarked
package dev.onceward.ops.audit;

import org.jspecify.annotations.NullMarked;
