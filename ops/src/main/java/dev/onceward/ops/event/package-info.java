/**
 * {@code onceward events list|show}: the events of the outbox, and the whole life of one.
 *
 * <p>{@code show} starts from any id that somebody may have: an event's, an operation's, an
 * idempotency key or a request id. What is written in one transaction bears one time ({@code
 * now()}), and so does the answer that was stored with it; that is how a key leads to its events
 * and an event to its request, without an index that every write would pay for. Kafka is read by
 * assignment around the event's time, in the one partition where the event belongs.
 *
 * <p>Its last line says why a thing is not finished and which command helps. Payloads and results
 * are shown only when asked for; nothing here can be a secret, since the tables refuse secrets.
 *
 * <p>Failure: a thing that is unknown, or a key that several things share, is exit code 1 and a
 * list of what there is. Where Kafka is away, the rest is shown all the same, with exit code 4.
 */
@NullMarked
package dev.onceward.ops.event;

import org.jspecify.annotations.NullMarked;
