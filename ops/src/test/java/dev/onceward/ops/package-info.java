/** Tests of the command line, against a real server. */
@NullMarked
package dev.onceward.ops;

import org.jspecify.annotations.NullMarked;
