/** Tests of {@code dev.onceward.api.workspace}. */
@NullMarked
package dev.onceward.api.workspace;

import org.jspecify.annotations.NullMarked;
