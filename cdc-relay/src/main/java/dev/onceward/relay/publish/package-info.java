/**
 * Records into Kafka. The only package of the relay that knows the producer.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>{@link dev.onceward.relay.publish.EventPublisher#publish} returns only when every record of
 *       the batch is acknowledged by all in-sync replicas. Nothing else may confirm a batch.
 *   <li>Records of one partition are sent in the order given, by an idempotent producer whose
 *       batches never expire: one that expires in flight would let a later one overtake it.
 *   <li>A record that was not acknowledged is sent again before any later batch.
 * </ul>
 *
 * <p>What a failure does: Kafka away, a topic missing, an authorisation missing: wait, retry, say
 * so ({@link dev.onceward.relay.publish.PublishStatus}); never an exception. A record that Kafka
 * will not take however often it is offered: {@link
 * dev.onceward.relay.publish.UnpublishableEventException}, and the batch is not confirmed.
 */
@NullMarked
package dev.onceward.relay.publish;

import org.jspecify.annotations.NullMarked;
