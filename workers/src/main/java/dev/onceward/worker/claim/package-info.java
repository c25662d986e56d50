/**
 * One attempt at a task: claim, run, finish.
 *
 * <p><b>Claim.</b> One UPDATE by the event's id; the database's clock alone judges leases, and the
 * attempt is counted there, so that a task that kills its process uses its attempts up. Not getting
 * the claim is an ordinary result: done, under way elsewhere, not due, or replaced by a newer
 * event, none of which leaves anything to do for this event.
 *
 * <p><b>Run.</b> Outside any transaction, on a thread of its own, with the lease renewed. The
 * outcome is decided once, by whoever is first: the handler, its time-out, the loss of the lease,
 * the worker's stop. Failure: a handler that ignores its interrupt costs its thread, is counted as
 * abandoned, and turns health DOWN when there are as many as tasks may run at a time.
 *
 * <p><b>Finish.</b> One transaction with the handler's own writes and an UPDATE that names state,
 * event, owner and attempt. No row changed means that somebody else has taken the task over:
 * everything is rolled back, and a worker that wakes late changes nothing. Failure: while the
 * database is away the end is kept and written later; whether a transaction whose commit got no
 * answer was committed is read back.
 */
@NullMarked
package dev.onceward.worker.claim;

import org.jspecify.annotations.NullMarked;
