/**
 * The relay: the process between PostgreSQL's log and Kafka.
 *
 * <p>{@link dev.onceward.relay.StreamSupervisor} owns its life. Each round it opens a session,
 * checks what the stream stands on, and runs one stream: {@code capture} yields committed rows in
 * order, {@link dev.onceward.relay.RelayHandler} turns them into records, {@code publish} returns
 * once Kafka has acknowledged them, and only then is the slot confirmed. Whatever fails ends the
 * round; the next begins after a pause, from the slot's position, with nothing remembered. So an
 * event can be sent twice after a failure, but never be skipped.
 *
 * <p>Failures: PostgreSQL away or restarting, Kafka away, a topic missing: the relay waits, says so
 * in its health, and goes on by itself. What only an operator can mend (log level, role,
 * publication, login) stops the start; later it keeps the relay DOWN until it is mended. An event
 * that Kafka refuses for what it is stops the stream, DOWN, with the event's id. An engine that
 * does not end when it should ends the process, for another to begin with nothing in the way.
 */
@NullMarked
package dev.onceward.relay;

import org.jspecify.annotations.NullMarked;
