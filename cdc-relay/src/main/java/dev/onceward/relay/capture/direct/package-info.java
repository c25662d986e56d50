/**
 * The second source: PostgreSQL's {@code pgoutput} messages, read through the driver's replication
 * stream, without an engine in between. It knows one table, inserts, and the relay's messages, and
 * nothing of a history of schemas, snapshots or offsets: that is what it saves.
 *
 * <p>What is read here is described in PostgreSQL's manual, chapter "Frontend/Backend Protocol":
 * the sections "Streaming Replication Protocol" (the statuses that confirm), "Logical Streaming
 * Replication Protocol" and "Logical Replication Message Formats". The stream is asked for with
 *
 * <ul>
 *   <li>{@code proto_version 1}: a transaction comes whole, and only after its commit;
 *   <li>{@code publication_names}: our one publication;
 *   <li>{@code messages}: logical messages come too (PostgreSQL 14 and later);
 *   <li>{@code binary}: columns as PostgreSQL's types send them, so that a UUID is sixteen bytes.
 * </ul>
 *
 * <p>Two threads: one owns the connection, reads, decodes, and tells PostgreSQL what is confirmed;
 * the other one, which runs the source, hands batches to the handler. Between them is a queue of
 * bounded length. While it is full the reader goes on sending statuses, so that PostgreSQL does not
 * take a handler that waits for Kafka for a dead relay.
 *
 * <p>What may be confirmed: the end of a transaction, once every row of it has been returned from,
 * and the place of a message, once everything before it has. In between nothing: PostgreSQL sends a
 * transaction again, whole, unless the end of its commit is confirmed. The driver's own confirming
 * by keepalives is off; a keepalive says how far PostgreSQL has read, not what has been delivered.
 *
 * <p>Failure: whatever is not understood (an unknown message, a column of another type, a closed
 * connection, a server that stalls inside a message for longer than the driver's time-out) ends the
 * source. It skips nothing and retries nothing.
 */
@NullMarked
package dev.onceward.relay.capture.direct;

import org.jspecify.annotations.NullMarked;
