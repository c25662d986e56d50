/** Tests with real servers; each that kills or stops one has its own. */
@NullMarked
package dev.onceward.embedded.junit;

import org.jspecify.annotations.NullMarked;
