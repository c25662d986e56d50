/** Tests of what every process shares. */
@NullMarked
package dev.onceward.process;

import org.jspecify.annotations.NullMarked;
