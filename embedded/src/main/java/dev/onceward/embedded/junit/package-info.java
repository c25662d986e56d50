/**
 * Gives JUnit tests real servers: one shared pair per JVM run, and to each test its own database
 * and its own topics, so that tests meet no one else's data. A server starts when the first test
 * asks for it: one that asks only for PostgreSQL never waits for Kafka.
 *
 * <p>What a test killed or stopped is started again for the next; a test that needs durable data or
 * special settings starts its own server instead.
 *
 * <p>Besides, every passed test that is tagged with a failure case is noted for the report of them.
 */
@NullMarked
package dev.onceward.embedded.junit;

import org.jspecify.annotations.NullMarked;
