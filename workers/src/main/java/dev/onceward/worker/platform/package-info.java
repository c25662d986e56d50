/**
 * The handlers of what needs an outside platform, and the calls that they make: verifying a store's
 * credentials, publishing a listing, reading products, running an AI task.
 *
 * <p>Every call carries the event's id as its idempotency key, so that the platform can tell a
 * repeated attempt. An explicit retry is a new event; of a dead operation, whose effect may have
 * gone unseen, it goes on under the old key, and of a failed one, which was refused, under a new
 * one. Credentials are read and decrypted in a short transaction, leave the process only in such a
 * call, and are in no log, error or result. What a platform answers is written together with the
 * end of the operation; only {@code SyncProducts} writes before, in steps that are safe to repeat
 * and that find the lease still held. Texts of an answer are cut to what may be stored, identifiers
 * are taken whole or not at all, and what looks like a secret is not kept.
 *
 * <p>Failure: a refusal (4xx) is permanent; an overload (429), an error (5xx), a time-out, a lost
 * connection or an answer that nobody can read is retriable.
 */
@NullMarked
package dev.onceward.worker.platform;

import org.jspecify.annotations.NullMarked;
