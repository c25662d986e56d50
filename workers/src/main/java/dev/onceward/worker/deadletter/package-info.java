/**
 * Sets aside the records that no later delivery can mend: undecodable ones, those without key or
 * value, unknown event types and newer payload versions, events whose operation never appeared.
 *
 * <p>A dead letter holds key, value and headers as they were, with the reason and the place of
 * origin in further headers ({@link dev.onceward.event.DeadLetterHeaders}), in a topic that is made
 * if it is missing and that keeps its records without limit. All replicas in sync have it before
 * the topic offset of the original may be committed.
 *
 * <p>Failure: while a record cannot be set aside its partition is not committed past it, other
 * records go on, and health is DOWN with the reason. After a crash between the two the record is
 * set aside again: twice rather than never.
 */
@NullMarked
package dev.onceward.worker.deadletter;

import org.jspecify.annotations.NullMarked;
