/**
 * The domain task, and the only truth about it.
 *
 * <p>Every change of state is one UPDATE that names the state, event, owner and attempt it expects.
 * No row changed is an ordinary result: somebody else was quicker. Leases are judged by the
 * database's clock alone. An attempt is counted when it is claimed, so that a task that kills its
 * process uses its attempts up.
 *
 * <p>An explicit retry writes a new event with the words of the last one. They come from {@code
 * kept_events}, into which a trigger copies the event when its operation fails: the outbox itself
 * forgets after its retention. A trigger, because finishers, the reaper and the giving-up of tasks
 * all end operations. Failure: an event that the outbox had lost before cannot be asked for again,
 * and the retry says so instead of guessing.
 */
@NullMarked
package dev.onceward.db.operation;

import org.jspecify.annotations.NullMarked;
