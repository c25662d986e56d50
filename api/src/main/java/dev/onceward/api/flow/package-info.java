/**
 * Runs of flows and their to-dos: start, resolve, read.
 *
 * <p>Both writes happen under a receipt whose owner is the access key's user. Answers name what the
 * key led to ({@code run_id}, {@code todo_id}), whether that was before ({@code duplicate}) and
 * whether an earlier request had died over it ({@code reclaimed}), and show it as it is now.
 *
 * <p>Failure: a form that is not valid, an unknown to-do and one that does not wait are refused as
 * everywhere, and leave a rejected receipt with the reason; the key may be used again.
 */
@NullMarked
package dev.onceward.api.flow;

import org.jspecify.annotations.NullMarked;
