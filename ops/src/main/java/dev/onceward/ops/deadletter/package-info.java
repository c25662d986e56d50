/**
 * {@code onceward dead-letters}: what nobody tries again by itself, wherever it lies, seen and
 * handled alike.
 *
 * <p>There are three kinds: events that the relay could not send ({@code parked_events}),
 * operations that failed or used their attempts up, and records that a consumer set aside in a
 * dead-letter topic. Each place is authoritative for its own; nothing is copied to be listed.
 * {@code dead_letter_acts} holds what operators did, since the places forget: a redriven event
 * leaves its table, a redriven operation loses its error, and a record in Kafka cannot change. A
 * record is therefore open exactly while no act names its topic's id, partition and topic offset.
 *
 * <p>Redriving sends again under the rules of each kind, and discarding says why nobody will; both
 * leave the history. An event that the relay still tries itself is listed as {@code parked} and is
 * left to the relay.
 *
 * <p>Failure: events and operations change in the same transaction as their act. A record is sent
 * before its act is written, so a command that is killed in between leaves it open, and the next
 * redrive sends it twice: consumers know its event by its key. One command changes dead letters at
 * a time, held by an advisory lock. What cannot be redriven is named and stays as it was; the rest
 * is done, and the exit code is 1.
 */
@NullMarked
package dev.onceward.ops.deadletter;

import org.jspecify.annotations.NullMarked;
