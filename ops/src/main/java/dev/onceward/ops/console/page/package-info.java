/**
 * What templates need: assets, and how values look. The templates stand in {@code src/main/jte},
 * are compiled with the module, and escape everything that they show.
 *
 * <p>Failure: a template that does not compile ends the build; one that fails at run time is the
 * error page.
 */
@NullMarked
package dev.onceward.ops.console.page;

import org.jspecify.annotations.NullMarked;
