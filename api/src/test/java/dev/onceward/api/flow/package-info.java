/** Tests of {@code dev.onceward.api.flow}. */
@NullMarked
package dev.onceward.api.flow;

import org.jspecify.annotations.NullMarked;
