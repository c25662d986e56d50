/**
 * What every process of ours shares: configuration, exit codes, the run from start to SIGTERM,
 * health and metrics over HTTP, JSON logs. It knows nothing of databases, Kafka or events.
 *
 * <p><b>Configuration.</b> {@link dev.onceward.process.Settings} is authoritative: it is read once,
 * at the start, into one record per process. Three sources, the first that names a key wins: system
 * properties {@code onceward.*}, environment variables {@code ONCEWARD_*}, a properties file. Bad
 * input stops the start with all problems at once; nothing is repaired or ignored silently. An
 * empty value means "not set". A secret is never echoed.
 *
 * <p><b>Life of a process.</b> {@link dev.onceward.process.ProcessRunner} owns the main thread: it
 * reads the command line and the settings, runs the body, and turns every end into one line on
 * stderr and an {@link dev.onceward.process.ExitCode}. SIGTERM and Ctrl-C complete {@link
 * dev.onceward.process.Shutdown}; the body then leaves its {@code try} blocks within the grace
 * time. Failure: a body that overstays is reported and the JVM ends without it.
 *
 * <p><b>Health.</b> {@link dev.onceward.process.HealthChecks} answers from what the loops of the
 * process remember, never by calling out. Failure: a check that throws counts as DOWN, one that
 * hangs turns readiness DOWN instead of blocking the probe.
 */
@NullMarked
package dev.onceward.process;

import org.jspecify.annotations.NullMarked;
