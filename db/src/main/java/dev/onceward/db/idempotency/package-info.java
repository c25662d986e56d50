/**
 * The answers that were given. A row stands for a committed request: it is written in the
 * transaction of the business change and nowhere else, so a rolled-back request leaves none and
 * executes again.
 *
 * <p>While a request executes, the advisory lock on its scope says so; it ends with the
 * transaction, also by a crash.
 */
@NullMarked
package dev.onceward.db.idempotency;

import org.jspecify.annotations.NullMarked;
