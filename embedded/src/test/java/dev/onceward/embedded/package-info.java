/** Tests with real servers; each that kills or stops one has its own. */
@NullMarked
package dev.onceward.embedded;

import org.jspecify.annotations.NullMarked;
