/** Tests of what needs no server. */
@NullMarked
package dev.onceward.ops.deadletter;

import org.jspecify.annotations.NullMarked;
