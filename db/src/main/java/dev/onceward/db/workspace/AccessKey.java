package dev.onceward.db.workspace;

import java.util.UUID;

/**
 * An access key as a caller is checked against it.
 *
 * @param role of its user
 * @param secretHash compare by {@link AccessKeyToken#matches}
 * @param valid false when it was revoked, is over, or its user is disabled
 */
@SuppressWarnings("ArrayRecordComponent") // a hash to be compared in constant time, not by equals
public record AccessKey(
    String keyId, UUID workspaceId, UUID userId, Role role, byte[] secretHash, boolean valid) {}
