/**
 * What an operator does to a relay: {@code onceward relay status|pause|resume|repair}.
 *
 * <p>Everything goes through the database, as {@code onceward_ops}; the relay process is not talked
 * to. It looks at its row each second, and a repair takes the leader's own lock, so that no relay
 * leads meanwhile.
 */
@NullMarked
package dev.onceward.ops.relay;

import org.jspecify.annotations.NullMarked;
