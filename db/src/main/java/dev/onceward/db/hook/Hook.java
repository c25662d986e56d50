package dev.onceward.db.hook;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code hooks} without its secrets. Immutable.
 *
 * @param flow the flow that a delivery starts; null for another action
 * @param previousSecretExpiresAt until when the secret before the last rotation counts; null if
 *     there is none
 */
public record Hook(
    UUID id,
    UUID workspaceId,
    String name,
    HookAction action,
    @Nullable String flow,
    boolean enabled,
    @Nullable Instant previousSecretExpiresAt,
    Instant createdAt,
    Instant updatedAt) {}
