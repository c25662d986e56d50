/**
 * The relay: the process between PostgreSQL's log and Kafka.
 *
 * <p>{@link dev.onceward.relay.StreamSupervisor} owns its life: it stands by until it leads ({@code
 * lead}), and then runs one {@link dev.onceward.relay.Term} after another. A term makes or checks
 * the slot ({@code slot}), reads back what Kafka holds ({@code audit}), and runs one stream: {@code
 * capture} yields committed rows in order, {@link dev.onceward.relay.RelayHandler} turns them into
 * records, {@code publish} returns once Kafka has acknowledged them, and only then is the slot
 * confirmed. Each second a watermark goes around ({@code watermark}), and the audit checks what has
 * come before it. Whatever fails ends the term; the next begins after a pause, from the slot, from
 * {@code relay_state} and from Kafka, with nothing remembered.
 *
 * <p>Failures: PostgreSQL away or restarting, or Kafka away: the relay waits, says so in its
 * health, and goes on by itself. What Kafka does not take while it answers is parked ({@code park})
 * and the stream goes on. What only an operator can mend (log level, role, publication, login)
 * stops the start; later it keeps the relay DOWN until it is mended. An engine that does not end
 * when it should, and a leader that has lost its lock unawares, end the process, for another to
 * begin with nothing in the way.
 */
@NullMarked
package dev.onceward.relay;

import org.jspecify.annotations.NullMarked;
