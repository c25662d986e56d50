/**
 * Real PostgreSQL and real Kafka without Docker, as child processes of this JVM.
 *
 * <p><b>Who is authoritative.</b> The directory on disk: a server object can be stopped or killed
 * and started again on the same data and port, and a kept directory can be opened by a later JVM.
 * One JVM at a time holds a directory, by a file lock; PostgreSQL's own lock file guards it
 * besides.
 *
 * <p><b>What the servers promise.</b> {@code start()} returns when the server really answers a
 * client, never merely when the process lives. {@code kill()} is SIGKILL and returns when nothing
 * of the server runs any more. Everything listens on the loopback address only.
 *
 * <p><b>Who ends the children.</b> The owner, by {@code stop()} or {@code close()}. Whatever is
 * left when the JVM ends, in whatever way (SIGKILL too), is ended by one small shell beside it
 * ({@link dev.onceward.embedded.OrphanWatch}), which also deletes temporary directories. There is
 * no shutdown hook that could take PostgreSQL away from services which are still stopping in order.
 * Children run in sessions of their own, so that Ctrl-C in a terminal reaches this JVM alone.
 *
 * <p><b>Ports</b> are taken from below the kernel's ephemeral range ({@link
 * dev.onceward.embedded.FreePorts}): a port inside it can be lost, while its server is down, to any
 * outgoing connection.
 *
 * <p><b>Failures.</b> What cannot start throws {@link
 * dev.onceward.embedded.InfrastructureException}, which names the value and the remedy, and leaves
 * no process and no half-made data directory behind: data is made under another name and renamed.
 */
@NullMarked
package dev.onceward.embedded;

import org.jspecify.annotations.NullMarked;
