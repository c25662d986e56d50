/**
 * Handlers that are HTTP endpoints: the worker posts the event, the other side does the work.
 *
 * <p>Every attempt at an event carries the same {@code Idempotency-Key}, so the other side can tell
 * a repetition; with a secret it also carries a signature by the Standard Webhooks scheme, so that
 * it can tell that the event came from here. What the answer's status says decides: 2xx done, 408,
 * 425, 429 and 5xx try again (after {@code Retry-After}, if given), anything else is permanent.
 *
 * <p>Redirects are followed for 307 and 308 only, at most three, never from https to http, and only
 * to public addresses or hosts that were allowed. The configured URL itself may be anywhere: the
 * operator has named it.
 *
 * <p>Failure: an endpoint that is away, slow or cut off in the middle is retriable; whether it did
 * the work is told apart by the key.
 */
@NullMarked
package dev.onceward.worker.http;

import org.jspecify.annotations.NullMarked;
