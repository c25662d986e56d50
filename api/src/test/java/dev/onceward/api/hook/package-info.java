/** Tests of {@code dev.onceward.api.hook}. */
@NullMarked
package dev.onceward.api.hook;

import org.jspecify.annotations.NullMarked;
