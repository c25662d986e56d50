/**
 * Inbound hooks: deliveries, and the calls by which administrators look after them.
 *
 * <p>A delivery proves who sends it by a signature of Standard Webhooks over the bytes as they
 * came; nothing of it is believed before. Deliveries to an unknown hook, to a disabled one, with a
 * wrong signature or an old timestamp get one and the same answer after the same work, so that
 * nobody learns which hooks exist. Then the delivery is carried out under a receipt of the hook: at
 * most once per key, however often it comes.
 *
 * <p>Failure: no answer is a 2xx before the receipt and its effect are committed; whatever else
 * happens, the sender's next attempt finds out what came of it.
 *
 * <p>The calls that hand out a secret stay outside the idempotent writes, which would store it. A
 * call whose answer was lost is mended by deleting that hook, or by rotating once more.
 */
@NullMarked
package dev.onceward.api.hook;

import org.jspecify.annotations.NullMarked;
