/**
 * The one clean-up loop: expired answers of idempotent writes, and receipts that were finished 30
 * days ago, and uploads that nobody completed for 7 days, in small batches, each a transaction of
 * its own.
 *
 * <p>What may be deleted is said by the database (functions and policies of its own role), not
 * here: a live answer, a receipt in {@code processing} and a completed upload cannot be reached.
 * Any number of instances may run the loop at once; they skip each other's rows. Failure: a pass
 * that fails is counted, logged and tried again at the next interval; requests do not notice.
 */
@NullMarked
package dev.onceward.api.cleanup;

import org.jspecify.annotations.NullMarked;
