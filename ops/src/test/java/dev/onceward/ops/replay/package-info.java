/** Tests of what a replay chooses. */
@NullMarked
package dev.onceward.ops.replay;

import org.jspecify.annotations.NullMarked;
