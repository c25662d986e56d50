/** Tests of {@code dev.onceward.api.operation}. */
@NullMarked
package dev.onceward.api.operation;

import org.jspecify.annotations.NullMarked;
