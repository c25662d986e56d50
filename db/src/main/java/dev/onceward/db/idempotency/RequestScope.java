package dev.onceward.db.idempotency;

import java.util.UUID;

/**
 * Within which an idempotency key names one request.
 *
 * @param method upper case
 * @param path the normalised real path, without the query
 * @param key 1 to 200 visible ASCII characters; case counts
 */
public record RequestScope(UUID workspaceId, UUID userId, String method, String path, String key) {}
