/** Tests of {@code dev.onceward.api.cleanup}. */
@NullMarked
package dev.onceward.api.cleanup;

import org.jspecify.annotations.NullMarked;
