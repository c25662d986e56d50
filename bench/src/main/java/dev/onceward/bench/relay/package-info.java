/**
 * {@code onceward bench relay}: who brings a backlog of outbox events to Kafka fastest, and what it
 * costs.
 *
 * <p>All contenders read the same committed rows of one durable PostgreSQL, each from a copy of the
 * same replication slot, and write to topics of their own in one broker, in a process of their own
 * with the same heap. They take turns (A B C, A B C, …), so that what the machine does meanwhile
 * meets all of them; medians and spreads are reported, and only ratios inside one run mean
 * something.
 *
 * <ul>
 *   <li><i>limit</i>: the smallest reader of the replication stream that can be, in front of a
 *       producer. It makes no envelope, no header, no promise.
 *   <li><i>relay</i>: ours as it is delivered, through its main class, watermark and audit on.
 *   <li><i>polling</i>: what services write by hand: {@code FOR UPDATE SKIP LOCKED}, send, wait,
 *       mark. Its rows stand in a plain table without row-level security, to its advantage.
 *   <li><i>debezium-server</i>: the distribution with its outbox router, where one is given.
 * </ul>
 *
 * <p>The clock starts with the process. <i>First</i> is when the first record is in Kafka, the rate
 * goes from there to the last one, and the <i>steady</i> rate is that of the second half of the
 * events. CPU time counts from the start of the process until the last record and, for the relay,
 * until its audit has seen every event in Kafka.
 */
@NullMarked
package dev.onceward.bench.relay;

import org.jspecify.annotations.NullMarked;
