/**
 * Writes under a receipt: claim the key, do the work, finish, each claim committed before its work.
 *
 * <p>{@link dev.onceward.api.receipt.ReceiptedWrites} owns the transactions; what differs is a
 * {@link dev.onceward.api.receipt.ReceiptWork}. The work and its acceptance are one transaction, so
 * a work whose claim was taken over rolls back.
 *
 * <p>Failures: a refusal of the form finishes the receipt as {@code rejected} with the reason, and
 * the key may be used again. When the server fails, the claim is given back the same way, so that
 * the next request executes at once; if that fails too, or the process dies, the receipt stays
 * {@code processing} and is claimed again once it is stale. Giving back is safe even when nobody
 * knows whether the work was committed: an accepted receipt does not change.
 */
@NullMarked
package dev.onceward.api.receipt;

import org.jspecify.annotations.NullMarked;
