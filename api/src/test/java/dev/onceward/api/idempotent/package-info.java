/** Tests of {@code dev.onceward.api.idempotent}. */
@NullMarked
package dev.onceward.api.idempotent;

import org.jspecify.annotations.NullMarked;
