/**
 * The one way in which the API writes: a request with an {@code Idempotency-Key} executes once, and
 * every repetition gets the first answer.
 *
 * <p>{@link dev.onceward.api.idempotent.IdempotentWrites} owns the transaction; what differs
 * between calls is a {@link dev.onceward.api.idempotent.Scenario}, which only writes rows and says
 * what to answer. The table {@code idempotency_requests} is authoritative: a row exists exactly
 * when the transaction with the business rows, the operation and the event has committed.
 *
 * <p>Invariants and failures:
 *
 * <ul>
 *   <li>Equal requests at the same time: one holds the advisory lock of the scoped key, the others
 *       are told to come back. The lock ends with the transaction, so a crash leaves no lock.
 *   <li>The look-up is a statement of its own after the lock: a snapshot taken before the lock was
 *       granted could miss the row of the holder that has just committed.
 *   <li>The scope is locked under every configured key, so that instances in the middle of a key
 *       rotation still exclude one another. Behind the locks stands the primary key: an insert that
 *       meets a twin's row waits, fails, and the request is looked up again.
 *   <li>A refusal, a failure or a crash rolls back everything: nothing is stored, a retry executes.
 *   <li>A fingerprint is compared under the key it was made with. Failure: when that key is no
 *       longer configured nobody can say whether the request is the same one; the answer is 503 and
 *       the log names the missing key.
 *   <li>No body is stored in the clear, only its HMAC; stored answers pass the secret guard.
 * </ul>
 */
@NullMarked
package dev.onceward.api.idempotent;

import org.jspecify.annotations.NullMarked;
