/** The borders between the modules, held by rules over the compiled classes of all of them. */
@NullMarked
package dev.onceward.local.architecture;

import org.jspecify.annotations.NullMarked;
