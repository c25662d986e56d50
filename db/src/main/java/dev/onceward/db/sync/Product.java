package dev.onceward.db.sync;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A row of {@code products}. Immutable.
 *
 * @param externalId the platform's id
 * @param price as the platform writes it, or null
 * @param firstReadAt when a sync saw it first
 * @param lastReadAt when a sync saw it last
 */
public record Product(
    UUID id,
    UUID storeId,
    String externalId,
    String title,
    @Nullable String price,
    Instant firstReadAt,
    Instant lastReadAt) {}
