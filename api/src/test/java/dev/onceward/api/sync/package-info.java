/** Tests of {@code dev.onceward.api.store}. */
@NullMarked
package dev.onceward.api.sync;

import org.jspecify.annotations.NullMarked;
