/** Tests of {@code dev.onceward.api.store}. */
@NullMarked
package dev.onceward.api.draft;

import org.jspecify.annotations.NullMarked;
