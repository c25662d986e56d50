package dev.onceward.db.workspace;

import java.util.UUID;

/**
 * An access key as stored.
 *
 * @param secretHash compare by {@link AccessKeyToken#matches}
 * @param revoked whether it was taken back
 */
@SuppressWarnings("ArrayRecordComponent") // a hash to be compared in constant time, not by equals
public record AccessKey(
    String keyId, UUID workspaceId, UUID userId, byte[] secretHash, boolean revoked) {}
