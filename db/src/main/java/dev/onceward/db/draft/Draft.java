package dev.onceward.db.draft;

import java.time.Instant;
import java.util.UUID;

/**
 * A row of {@code drafts}. Immutable.
 *
 * @param revision counts saves, from 1
 */
public record Draft(
    UUID id, DraftContent content, int revision, Instant createdAt, Instant updatedAt) {}
