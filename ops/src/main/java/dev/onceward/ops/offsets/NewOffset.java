package dev.onceward.ops.offsets;

import org.jspecify.annotations.Nullable;

/**
 * Where a group is to read next in one partition.
 *
 * @param offset the topic offset
 * @param note what there is to say about it, or null
 */
record NewOffset(long offset, @Nullable String note) {}
