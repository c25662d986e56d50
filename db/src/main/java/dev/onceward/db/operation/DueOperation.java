package dev.onceward.db.operation;

import java.util.UUID;

/** An operation that is due, by ids only: all that crosses workspaces. */
public record DueOperation(UUID workspaceId, UUID operationId, UUID eventId) {}
