package dev.onceward.local.demo;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the database knows about one operation. Immutable.
 *
 * @param eventId its newest event
 * @param committedAt when its transaction committed, by the server's commit log
 * @param state of the operation
 * @param updatedAt the time of its last change
 */
record OperationTimes(
    UUID eventId, @Nullable Instant committedAt, String state, Instant updatedAt) {}
