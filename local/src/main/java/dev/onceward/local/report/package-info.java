/**
 * How commands that measure or prove something hand over what they found: a table for people, one
 * JSON object for scripts, and a file to keep.
 *
 * <p>Failure: a folder for results that cannot be written to is an {@link java.io.IOException}
 * after the report was printed; nothing is lost but the file.
 */
@NullMarked
package dev.onceward.local.report;

import org.jspecify.annotations.NullMarked;
