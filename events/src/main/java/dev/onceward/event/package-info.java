/**
 * The event contract: what a record on Kafka is, and how it is read. An outside consumer depends on
 * this package alone.
 *
 * <p>A record's key is the event id as its 36-character text, its value is one JSON object (see
 * {@code envelope.schema.json} beside this package), its headers repeat what a consumer needs
 * before it parses the value ({@link dev.onceward.event.EventHeaders}).
 *
 * <p>Invariants:
 *
 * <ul>
 *   <li>The payload is the writer's text, byte for byte: it is spliced into the value unparsed and
 *       cut out of it unparsed. Numbers keep their digits, objects their order and their white
 *       space.
 *   <li>Whatever the outbox table accepts can be read back: neither nesting depth nor the length of
 *       a number, a name or a string is limited here, and reading never recurses.
 *   <li>Members that a reader does not know are ignored, so that a later version may add some.
 *   <li>No message of this package repeats a payload or another value of the record.
 * </ul>
 *
 * <p>All types are immutable or stateless and may be used by any thread.
 */
@NullMarked
package dev.onceward.event;

import org.jspecify.annotations.NullMarked;
