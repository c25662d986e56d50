package dev.onceward.db.media;

import java.time.Instant;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A file of a workspace, without its bytes.
 *
 * @param fileName without any path; null when nobody gave one
 * @param declaredType the media type that was promised, lower case; null for a transferred material
 * @param declaredSizeBytes the size that was promised; null for a transferred material
 * @param sizeBytes of the received bytes; null while none came
 * @param sha256 of the received bytes, lower-case hexadecimal; null while none came
 * @param detectedType the media type that the inspection found; null before it
 * @param widthPixels of an image of a format that can be measured, else null
 * @param heightPixels null exactly when the width is
 * @param rejectionCode why the inspection rejected it; null unless it did
 */
public record Media(
    UUID id,
    @Nullable String fileName,
    @Nullable String declaredType,
    @Nullable Long declaredSizeBytes,
    MediaStatus status,
    @Nullable Long sizeBytes,
    @Nullable String sha256,
    @Nullable String detectedType,
    @Nullable Integer widthPixels,
    @Nullable Integer heightPixels,
    @Nullable String rejectionCode,
    Instant createdAt,
    Instant updatedAt) {}
