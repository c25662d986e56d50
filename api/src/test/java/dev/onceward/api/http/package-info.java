/** Tests of {@code dev.onceward.api.http}. */
@NullMarked
package dev.onceward.api.http;

import org.jspecify.annotations.NullMarked;
