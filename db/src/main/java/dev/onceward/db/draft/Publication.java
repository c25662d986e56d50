package dev.onceward.db.draft;

import dev.onceward.db.operation.OperationState;
import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code publications} with the state of its operation. Immutable.
 *
 * @param draftRevision the revision whose content this is
 * @param content the draft as it was at that revision
 * @param listingId the platform's name of what was published; null until it is
 * @param publishedAt null until it is
 */
public record Publication(
    UUID id,
    UUID draftId,
    UUID operationId,
    OperationState state,
    int draftRevision,
    DraftContent content,
    @Nullable String listingId,
    @Nullable Instant publishedAt,
    Instant createdAt) {}
