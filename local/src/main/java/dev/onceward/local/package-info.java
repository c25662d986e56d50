/**
 * The commands {@code onceward up}, {@code demo}, {@code torture} and {@code crash-matrix}.
 *
 * <p>The story goes to standard output, failures to standard error: one message with its remedy and
 * the exit code of {@link dev.onceward.process.ExitCode}. Ctrl-C and SIGTERM interrupt the main
 * thread, which stops what it started, in order, before the JVM ends; a second one ends it at once,
 * and the children with it.
 */
@NullMarked
package dev.onceward.local;

import org.jspecify.annotations.NullMarked;
