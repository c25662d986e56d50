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
 * <p>Memory is bounded. Beyond a limit the ledger forgets ids and keeps where in Kafka they are, in
 * stretches ({@link dev.onceward.relay.audit.Spill}); of a long tail a term holds the newest part.
 * A row that nobody remembers is then a candidate ({@link dev.onceward.relay.audit.Comparison}),
 * and is missing only if it is neither parked nor, looked at after that, in its stretches of Kafka.
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>A snapshot is stored as audited only when each row that it sees is in Kafka or parked.
 *   <li>It never goes back, and is written only over the connection that holds the leader's lock:
 *       another server cannot be told what this one has seen.
 *   <li>With it go positions in Kafka from which everything delivered but not audited can be read
 *       back, forgotten ids included, so that the next term neither loses nor repeats what this one
 *       did. It does repeat what the slot sends again from before the newest part of a long tail.
 * </ul>
 */
@NullMarked
package dev.onceward.relay.audit;

import org.jspecify.annotations.NullMarked;
