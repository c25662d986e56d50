package dev.onceward.local.cluster;

import dev.onceward.process.Secret;
import java.util.UUID;

/**
 * A workspace and the key by which a client acts in it. Immutable.
 *
 * @param workspaceId of the workspace
 * @param userId of the user whom the key belongs to
 * @param accessKey the bearer token, {@code ow_<keyId>_<secret>}
 */
public record WorkspaceAccess(UUID workspaceId, UUID userId, Secret accessKey) {}
