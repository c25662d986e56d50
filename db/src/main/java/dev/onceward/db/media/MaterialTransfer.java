package dev.onceward.db.media;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A material to be fetched from elsewhere and kept as media.
 *
 * @param sourceUrl where it lies: http or https, without user, password or signature
 * @param fileName what the media is to be called; null for none
 * @param status a value of the column's CHECK: {@code requested} or {@code stored}
 * @param mediaId the result; null until it is stored
 */
public record MaterialTransfer(
    UUID id,
    String sourceUrl,
    @Nullable String fileName,
    String status,
    @Nullable UUID mediaId,
    Instant createdAt,
    Instant updatedAt) {}
