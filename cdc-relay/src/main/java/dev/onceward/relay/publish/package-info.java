/**
 * Records into Kafka. The only package of the relay that knows the producer.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A record counts as acknowledged only when all in-sync replicas have it, or when it was read
 *       back from its partition.
 *   <li>Records of one partition are sent in the order given, by an idempotent producer whose
 *       batches never expire: one that expires in flight would let a later one overtake it. To give
 *       a batch up, the producer is closed, the partitions are read back from where the attempt
 *       began, and only what is missing is sent again.
 * </ul>
 *
 * <p>What a failure does: Kafka away: the attempt waits and says so ({@link
 * dev.onceward.relay.publish.PublishStatus}); never an exception. A record that Kafka will not take
 * however often it is offered, a topic that it refuses, and one that is silent for the patience
 * while the cluster answers: told in the {@link dev.onceward.relay.publish.Attempt}; what follows
 * from it is decided in {@code relay.park}. A record in flight when a producer is closed can arrive
 * after the read-back: then it comes twice.
 */
@NullMarked
package dev.onceward.relay.publish;

import org.jspecify.annotations.NullMarked;
