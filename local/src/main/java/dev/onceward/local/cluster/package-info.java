/**
 * The whole pipeline on one machine: PostgreSQL, Kafka, the platform simulator, and api, relay and
 * workers as processes of their own, exactly the programs that run elsewhere.
 *
 * <p><b>Who is authoritative.</b> {@code cluster.properties} in the data directory holds what must
 * be the same at the next start: ports, passwords, keys, and the workspace that was made. It is
 * written (mode 600, by rename) before anything is started, and read when it exists. The services
 * get their settings from files in {@code config/}, written anew at each start; no secret is on a
 * command line or in an environment.
 *
 * <p><b>Order.</b> PostgreSQL and Kafka start side by side; then roles, passwords and migrations;
 * then the services, which may wait for each other. They stop the other way round: first the API,
 * so that nothing new comes in, PostgreSQL last.
 *
 * <p><b>Failures.</b> What cannot start ends the start: whatever runs is stopped, and one {@link
 * dev.onceward.process.StartupException} names the service, the reason and its log. Services are
 * not restarted behind the caller's back: fault tests kill and start them themselves. When this JVM
 * dies in whatever way, the children end with it.
 */
@NullMarked
package dev.onceward.local.cluster;

import org.jspecify.annotations.NullMarked;
