/**
 * AI tasks: ask a model for a text, a category or an image, and read what came of it.
 *
 * <p>The input is kept as canonical JSON with the text of its numbers and is stored in the clear
 * and shown, so it must hold no secret; the event carries the task's id only.
 */
@NullMarked
package dev.onceward.api.ai;

import org.jspecify.annotations.NullMarked;
