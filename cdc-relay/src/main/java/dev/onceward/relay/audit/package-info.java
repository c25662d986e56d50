/**
 * Delivered is not believed but checked, against the table and against Kafka.
 *
 * <p>For each step from one delivered snapshot to the next, the audit reads the ids of the outbox
 * rows that the new one sees and the old one did not, and strikes those that Kafka has acknowledged
 * ({@link dev.onceward.relay.audit.DeliveryLedger}), those that Kafka already held when the term
 * began ({@link dev.onceward.relay.audit.KafkaTail}) and those in {@code parked_events}. What is
 * left was lost somewhere below us: it is published now, marked, counted and logged. Only then does
 * the audited snapshot move. The same loop heals a dropped slot, rows older than the slot, a
 * failover without it, and defects of the engine.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A snapshot is stored as audited only when each row that it sees is in Kafka or parked.
 *   <li>It never goes back, and is written only over the connection that holds the leader's lock:
 *       another server cannot be told what this one has seen.
 *   <li>With it go positions in Kafka from which everything delivered but not audited can be read
 *       back, so that the next term neither loses nor repeats what this one did.
 * </ul>
 */
@NullMarked
package dev.onceward.relay.audit;

import org.jspecify.annotations.NullMarked;
