/**
 * The domain task, and the only truth about it.
 *
 * <p>Every change of state is one UPDATE that names the state, owner and attempt it expects. No row
 * changed is an ordinary result: somebody else was quicker. Leases are judged by the database's
 * clock alone. An attempt is counted when it is claimed, so that a task that kills its process uses
 * its attempts up.
 */
@NullMarked
package dev.onceward.db.operation;

import org.jspecify.annotations.NullMarked;
