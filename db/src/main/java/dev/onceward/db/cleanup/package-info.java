/**
 * Deletes what has outlived its time, in every workspace, through functions that cannot reach
 * anything else.
 */
@NullMarked
package dev.onceward.db.cleanup;

import org.jspecify.annotations.NullMarked;
