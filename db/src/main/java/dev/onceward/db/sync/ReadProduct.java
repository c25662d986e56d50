package dev.onceward.db.sync;

import org.jspecify.annotations.Nullable;

/**
 * A product as a platform has it. Immutable.
 *
 * @param externalId 1 to 200 characters
 * @param title at most 500 characters
 * @param price at most 40 characters, or null
 */
public record ReadProduct(String externalId, String title, @Nullable String price) {}
