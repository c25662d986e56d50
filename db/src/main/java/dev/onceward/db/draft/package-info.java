/**
 * Drafts and their publications.
 *
 * <p>A draft is saved against the revision that it was made from: one UPDATE names it, so that of
 * two savers one is told that it was late. A publication holds the draft's content as it was when
 * it was asked for; what is done to the draft afterwards does not reach it.
 *
 * <p>Whether a publication is active, succeeded or over is the state of its operation and is
 * written nowhere else. "One active or succeeded per draft" is a partial unique index on {@code
 * operations}, not on {@code publications}: workers, the reaper, a cancel, a retry and an
 * operator's redrive all change operations, so a second column here would have to be kept in step
 * by each of them, and a status derived under a lock only by those who take the lock. The index
 * binds whoever moves an operation into such a state, also in a statement that knows nothing of
 * drafts, and it frees the draft in the very transaction that ends the operation. It works on the
 * operation's subject, which is therefore the draft. Failure: who comes second gets a unique
 * violation with the index's name ({@link dev.onceward.db.draft.PublicationStore#ONE_PER_DRAFT}),
 * after waiting for the other's commit.
 */
@NullMarked
package dev.onceward.db.draft;

import org.jspecify.annotations.NullMarked;
