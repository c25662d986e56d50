/**
 * The operator's command line {@code onceward}.
 *
 * <p>It owns no state: everything it says comes from the database at that moment, in one read-only
 * transaction per command, as {@code onceward_ops_read} for what looks and {@code onceward_ops} for
 * what changes. Results go to standard output, as text or (with {@code --output json}) as one JSON
 * document; everything else goes to standard error.
 *
 * <p>Failure: each known one is a single line that names the value and the remedy, with the exit
 * code of {@link dev.onceward.process.ExitCode}. An unknown one shows its stack trace.
 */
@NullMarked
package dev.onceward.ops;

import org.jspecify.annotations.NullMarked;
