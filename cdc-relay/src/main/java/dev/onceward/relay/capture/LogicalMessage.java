package dev.onceward.relay.capture;

/**
 * A non-transactional logical message with the relay's prefix. Anybody who may log in may write
 * such a message: its content proves nothing until it is compared. Immutable.
 *
 * @param content its text
 * @param lsn the end of the message in the log
 */
public record LogicalMessage(String content, long lsn) {}
