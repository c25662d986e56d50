/** The checks of the torture, each shown to fail: they are fed what they must find. */
@NullMarked
package dev.onceward.local.torture;

import org.jspecify.annotations.NullMarked;
