/**
 * {@code onceward bench page}: docs/benchmarks.md and its charts, from the reports that the
 * measurements have left.
 *
 * <p>The text that stays is a template beside this package; numbers, ratios and whether an aim was
 * reached come from the reports alone, so that nobody can polish them by hand.
 */
@NullMarked
package dev.onceward.bench.page;

import org.jspecify.annotations.NullMarked;
