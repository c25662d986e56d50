/**
 * How the relay knows what it has delivered, to the transaction.
 *
 * <p>Every second the leader takes a snapshot of the running transactions, keeps it in memory, and
 * then writes a logical message into the log. A transaction that the snapshot sees as finished has
 * its commit in the log before the message. So once the message comes back through the stream, and
 * all that came before it is in Kafka or parked, <em>every</em> transaction that the snapshot sees
 * has been delivered. The whole snapshot is meant and not its oldest transaction: one that stays
 * open holds back its own events only.
 *
 * <p>The message goes around even when nobody writes events, so its round trip is the relay's lag
 * and its pulse, and it moves the slot when only other tables or databases are busy.
 *
 * <p>Any login may write such messages. Ours carry a secret of their term and a number; what they
 * mean never leaves the memory of the term that wrote them. All others mean nothing.
 */
@NullMarked
package dev.onceward.relay.watermark;

import org.jspecify.annotations.NullMarked;
