/**
 * Drafts and their publications.
 *
 * <p>Saving a draft starts no task and needs no idempotency key: {@code If-Match} names the
 * revision that the client has seen, so a save that is sent twice is refused the second time
 * instead of overwriting what came between. The revision is the entity tag ({@code "7"}), a strong
 * one; a save without it is 428, at another revision 412, and what is no single strong tag is 400.
 *
 * <p>The media that a draft names are media of its workspace, in whatever state; media are never
 * deleted, so the check at the save holds.
 *
 * <p>A publication takes the draft as it stands, under the draft's revision, and keeps that
 * content: the event names ids and the revision, and the worker publishes what the publication
 * holds. While one is active or has succeeded there is no second one: {@code dev.onceward.db.draft}
 * says how.
 */
@NullMarked
package dev.onceward.api.draft;

import org.jspecify.annotations.NullMarked;
