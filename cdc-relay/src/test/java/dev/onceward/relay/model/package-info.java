/**
 * A model of the relay, explored in every state: watermark, stream, audit, parking, slot and terms.
 *
 * <p>Concurrent transactions of one aggregate commit in any order, and come into sight a moment
 * after their commit is in the log. A relay takes the lock, prepares the slot, reads Kafka back and
 * streams; its threads (watermark, stream, audit, parked events) take their steps in any order.
 * Meanwhile a relay is killed, or stands still and wakes up after another has the lock, PostgreSQL
 * is killed, the slot is lost, Kafka refuses the topic.
 *
 * <table>
 * <caption>Which step is which class or statement</caption>
 * <tr><th>step</th><th>code</th></tr>
 * <tr><td>takes the lock and reads relay_state</td><td>{@code Leadership.tryAcquire}, {@code
 *   StoredAudit.load}</td></tr>
 * <tr><td>openGap, pg_create_logical_replication_slot</td><td>{@code SlotPreparation.slotIsMade},
 *   {@code SlotMaker.create}</td></tr>
 * <tr><td>terminateHolder, advanceTo</td><td>{@code SlotPreparation.prepare}</td></tr>
 * <tr><td>a snapshot after the new slot</td><td>{@code SlotPreparation.newSlot}</td></tr>
 * <tr><td>KafkaTail reads</td><td>{@code KafkaTail.ledger}, {@code KnownEvents}, {@code
 *   Parking.begin}</td></tr>
 * <tr><td>pg_current_snapshot, pg_logical_emit_message</td><td>{@code Watermarks.emit}</td></tr>
 * <tr><td>a batch is taken</td><td>{@code RelayHandler.fresh}</td></tr>
 * <tr><td>Kafka acknowledges; is parked</td><td>{@code EventDispatcher.dispatch}, {@code
 *   ParkedEvents.pending} within {@code ParkedSession.write}</td></tr>
 * <tr><td>the batch is acknowledged or parked</td><td>the rest of {@code RelayHandler.handle}</td></tr>
 * <tr><td>the slot is confirmed</td><td>{@code ChangeSource}, after the handler has returned</td></tr>
 * <tr><td>the audit compares, the repair</td><td>{@code Comparison}, {@code OutboxRows.between}</td></tr>
 * <tr><td>advance, closeGap</td><td>{@code Auditor.step}, {@code Auditor.fillBefore}, {@code
 *   RelayStateStore}, over the term's session only</td></tr>
 * <tr><td>the parked, deletes the row</td><td>{@code ParkedEventRetrier.retry}</td></tr>
 * <tr><td>a record of the relay that led arrives</td><td>what {@code Leadership.require} cannot call
 *   back: sent, or about to be, when the lock went</td></tr>
 * </table>
 */
@NullMarked
package dev.onceward.relay.model;

import org.jspecify.annotations.NullMarked;
