/**
 * Who leads. Any number of relays may run for one slot; the one that holds the advisory lock
 * streams, the others wait for it.
 *
 * <p>The connection that holds the lock is the leader's term. It is pinged each second, and the
 * server ends it after four silent seconds, so that a stalled leader loses its lock while it cannot
 * know. A leader that wakes up finds out before its next send, because it sends nothing without a
 * fresh answer over that connection.
 */
@NullMarked
package dev.onceward.relay.lead;

import org.jspecify.annotations.NullMarked;
