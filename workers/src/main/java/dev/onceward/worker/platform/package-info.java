/**
 * The handler of store authorisations, and the call to the outside platform that it needs.
 *
 * <p>The call carries the event's id as its idempotency key, so that the platform can tell a
 * repeated attempt. Credentials are read and decrypted in a short transaction, leave the process
 * only in that call, and are in no log, error or result. The verdict is written together with the
 * end of the operation, and only if the credentials are still those that were asked about.
 *
 * <p>Failure: a refusal (4xx) is permanent; an overload (429), an error (5xx), a time-out, a lost
 * connection or an answer that nobody can read is retriable.
 */
@NullMarked
package dev.onceward.worker.platform;

import org.jspecify.annotations.NullMarked;
