/**
 * Full reads of a store's products, and what they read.
 *
 * <p>Whether a sync is active is the state of its operation and is written nowhere else; "one
 * active per store" is a partial unique index on {@code operations} by the operation's subject, the
 * store, for the reasons given in {@code dev.onceward.db.draft}. Failure: who comes second gets a
 * unique violation with the index's name ({@link
 * dev.onceward.db.sync.ProductSyncStore#ONE_ACTIVE}).
 *
 * <p>{@code products} is a copy of what the platform has. A sync writes it page by page under a
 * mark of its own; only the transaction that ends it removes what bears another mark. So a sync
 * that breaks off leaves newer rows beside older ones, never a hole.
 */
@NullMarked
package dev.onceward.db.sync;

import org.jspecify.annotations.NullMarked;
