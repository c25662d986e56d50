/**
 * Receipts: the proof that a key was accepted, for callers who send the same thing again until they
 * are answered. One row per (workspace, owner, key); the table is authoritative.
 *
 * <p>{@link dev.onceward.db.receipt.Receipts} is the one state machine, {@link
 * dev.onceward.db.receipt.ReceiptTable} says for whom: hooks, users of access keys, or a table of
 * yours with the same columns.
 *
 * <pre>
 *   (none) --claim--> processing --finish--> accepted
 *                       |   ^  \--finish--> rejected --claim--> processing
 *                       +---+ claim, once it is stale
 * </pre>
 *
 * <p>Invariants and failures:
 *
 * <ul>
 *   <li>A claim is committed before its work begins. The work and its finish are best one
 *       transaction: then a claim that was taken over takes nothing with it, because the finish
 *       names the claim's number, changes no row, and its transaction is rolled back.
 *   <li>A caller that dies in between leaves {@code processing}. It is given up after a time by the
 *       database's clock, and whoever claims it then is told so: first look for what was already
 *       done under the receipt's id.
 *   <li>Claiming again is one conditional UPDATE on what was read; of any number at the same time
 *       one wins, the others are busy.
 *   <li>The fingerprint is compared before anything else, also with a stale row; only a rejected
 *       one may come back changed.
 *   <li>A row that vanishes between insert and look-up (its hook was deleted) counts as busy.
 * </ul>
 */
@NullMarked
package dev.onceward.db.receipt;

import org.jspecify.annotations.NullMarked;
