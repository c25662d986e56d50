/** Tests of the simulated platform, over real HTTP. */
@NullMarked
package dev.onceward.local.platform;

import org.jspecify.annotations.NullMarked;
