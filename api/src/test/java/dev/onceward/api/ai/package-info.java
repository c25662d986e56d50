/** Tests of {@code dev.onceward.api.store}. */
@NullMarked
package dev.onceward.api.ai;

import org.jspecify.annotations.NullMarked;
