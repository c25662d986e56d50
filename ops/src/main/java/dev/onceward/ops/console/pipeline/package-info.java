/**
 * What the console knows of the pipeline without being asked: two loops look at the database and at
 * Kafka at a steady pace, however many people watch, and keep the last hour in memory.
 *
 * <p>The database is looked at with the process's own reading login. A look that takes long makes
 * the next one come later, so that the console never takes more than a tenth of a connection's
 * time.
 *
 * <p>Failure: whatever is away is shown as down, with its reason; what was known of it before is
 * not shown as if it were still so. The samples have a gap there.
 */
@NullMarked
package dev.onceward.ops.console.pipeline;

import org.jspecify.annotations.NullMarked;
