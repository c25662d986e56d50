/**
 * {@code onceward console}: the facts and the acts of the command line, in a browser.
 *
 * <p>Pages are rendered here, from the same classes that the commands use; the browser's scripts
 * only fetch parts of them anew. Whoever signs in uses their own login of the database, so that
 * PostgreSQL decides what they see and may do; what the process itself sees of the pipeline (the
 * overview) comes from its own reading login. What is changed is recorded as the commands record
 * it, with the login's name.
 *
 * <p>Everything shown is escaped by the templates, since payloads are hostile; there is no inline
 * script and no inline style, and the content security policy forbids them. Each form brings the
 * session's token and must come from a page of ours.
 *
 * <p>Failure: without database or Kafka the pages say so and show the rest. A change is shown as a
 * dry run first; where the state is not the one that was shown, nothing is changed and the new dry
 * run is. A replay runs in this process, and is stopped with it where it can be taken up again.
 */
@NullMarked
package dev.onceward.ops.console;

import org.jspecify.annotations.NullMarked;
