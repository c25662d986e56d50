package dev.onceward.db.draft;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a draft says. Immutable.
 *
 * @param storeId where it is to be sold
 * @param title 1 to 500 characters
 * @param description 1 to 20,000 characters, or null
 * @param price a decimal number as its author wrote it, or null
 * @param mediaIds in the order in which they are shown; at most 50
 */
public record DraftContent(
    UUID storeId,
    String title,
    @Nullable String description,
    @Nullable String price,
    List<UUID> mediaIds) {

  /** Copies the media ids. */
  public DraftContent {
    mediaIds = List.copyOf(mediaIds);
  }
}
