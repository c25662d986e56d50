/** Tests of {@code dev.onceward.api.json}. */
@NullMarked
package dev.onceward.api.json;

import org.jspecify.annotations.NullMarked;
