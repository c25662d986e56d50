package dev.onceward.db.media;

import org.jspecify.annotations.Nullable;

/**
 * What an inspection found in some bytes. Immutable.
 *
 * @param detectedType the media type by content, lower case, without parameters
 * @param widthPixels of an image of a format that can be measured, else null
 * @param heightPixels null exactly when the width is
 */
public record MediaFindings(
    String detectedType, @Nullable Integer widthPixels, @Nullable Integer heightPixels) {}
