/** Tests of {@code dev.onceward.api.store}. */
@NullMarked
package dev.onceward.api.store;

import org.jspecify.annotations.NullMarked;
