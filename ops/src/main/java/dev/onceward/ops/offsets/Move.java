package dev.onceward.ops.offsets;

import org.jspecify.annotations.Nullable;

/**
 * What a reset does to one partition. Immutable.
 *
 * @param topic the topic
 * @param partition its partition
 * @param oldOffset what the group has committed; null if it has nothing there
 * @param newOffset what it is to read next
 * @param note what there is to say about it, or null
 */
record Move(
    String topic, int partition, @Nullable Long oldOffset, long newOffset, @Nullable String note) {

  /** Whether anything changes. */
  boolean changesAnything() {
    return oldOffset == null || oldOffset != newOffset;
  }

  /** How many records it would never read. */
  long skippedCount() {
    return oldOffset == null ? 0 : Math.max(0, newOffset - oldOffset);
  }
}
