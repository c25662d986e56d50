/**
 * What all commands that change something share: {@code --dry-run}, {@code --yes}, the question,
 * and the row in {@code ops_actions}.
 *
 * <p>A change inside PostgreSQL and its row are one transaction: {@link
 * dev.onceward.ops.change.ChangeOptions#end} writes the row and commits, or rolls back for a dry
 * run. One outside of it is a {@link dev.onceward.ops.change.StartedAction}.
 *
 * <p>What takes something away or cannot be taken back asks first; what adds or gives back does
 * not. Without a terminal nobody can answer: then {@code --yes} must be there.
 *
 * <p>Failure: a refused or unanswered question changes nothing and leaves no row.
 */
@NullMarked
package dev.onceward.ops.change;

import org.jspecify.annotations.NullMarked;
