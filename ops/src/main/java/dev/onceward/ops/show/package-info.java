/**
 * How results look to people: tables with aligned columns on standard output, and a bar on standard
 * error while something takes long. Scripts take {@code --output json} instead.
 *
 * <p>Failure: text from the database can hold anything, so that control characters never reach the
 * terminal as such. Without a terminal there is no bar.
 */
@NullMarked
package dev.onceward.ops.show;

import org.jspecify.annotations.NullMarked;
