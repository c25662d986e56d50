package dev.onceward.db.workspace;

import java.time.Instant;
import java.util.UUID;

/**
 * A workspace. Immutable.
 *
 * @param name for people
 */
public record Workspace(UUID id, String name, Instant createdAt, Instant updatedAt) {}
