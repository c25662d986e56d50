/**
 * Product syncs of a store, and the products that they read.
 *
 * <p>One sync is active per store at a time; {@code dev.onceward.db.sync} says how. The products of
 * a store are a copy of what its platform had when a sync last read them, page by page.
 */
@NullMarked
package dev.onceward.api.sync;

import org.jspecify.annotations.NullMarked;
