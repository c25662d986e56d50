/** Tests of the measurements' own arithmetic. */
@NullMarked
package dev.onceward.bench.relay;

import org.jspecify.annotations.NullMarked;
