/**
 * Tasks for a model: what was asked, and what came of it. The input never changes; the output is
 * written once, in the transaction that ends the task's operation, whose state is the task's.
 */
@NullMarked
package dev.onceward.db.ai;

import org.jspecify.annotations.NullMarked;
