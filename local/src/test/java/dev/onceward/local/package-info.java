/** Tests of the commands: what they refuse, and the demonstration as a whole. */
@NullMarked
package dev.onceward.local;

import org.jspecify.annotations.NullMarked;
