/** Tests of the measurements' own arithmetic and command line. */
@NullMarked
package dev.onceward.bench;

import org.jspecify.annotations.NullMarked;
