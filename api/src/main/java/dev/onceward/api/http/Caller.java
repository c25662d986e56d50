package dev.onceward.api.http;

import dev.onceward.db.workspace.Role;
import java.util.UUID;

/**
 * Who is calling, as proved by the access key. Immutable.
 *
 * @param workspaceId the only workspace this request sees
 * @param userId the key's user, who owns idempotency keys
 * @param accessKeyId the public half of the key
 * @param role what the user may do
 */
public record Caller(UUID workspaceId, UUID userId, String accessKeyId, Role role) {}
