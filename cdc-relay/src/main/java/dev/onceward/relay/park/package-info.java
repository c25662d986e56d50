/**
 * Events that Kafka does not take, so that one of them does not hold up all others.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>Every event that the stream or the audit hands over is acknowledged by Kafka or stands in
 *       {@code parked_events} before {@link dev.onceward.relay.park.EventDispatcher#dispatch}
 *       returns. Nothing else may confirm a batch.
 *   <li>Behind a pending event every later one of its partition key parks too, and the loop sends
 *       them in the order of parking. What is dead or redriven holds nothing up.
 *   <li>A parked row belongs to whoever holds its lease. Rows are written only while the term's
 *       session holds the leader's lock on the same server.
 * </ul>
 *
 * <p>What a failure does: an event refused for what it is becomes a dead letter at once; the stream
 * goes on. A topic that the cluster refuses parks its events at once, one that is silent while the
 * cluster answers does so after the patience; both until the loop has delivered one again. Cluster
 * away: nothing parks, everything waits. Too many parked for a topic, or {@link
 * dev.onceward.relay.park.Ordering#STRICT}: the stream waits and health says for which topic.
 */
@NullMarked
package dev.onceward.relay.park;

import org.jspecify.annotations.NullMarked;
