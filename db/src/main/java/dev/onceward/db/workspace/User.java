package dev.onceward.db.workspace;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A user of a workspace. Immutable.
 *
 * @param name for people
 * @param disabledAt since when their keys are refused, null while they may call
 */
public record User(
    UUID id,
    UUID workspaceId,
    String name,
    Role role,
    @Nullable Instant disabledAt,
    Instant createdAt,
    Instant updatedAt) {}
