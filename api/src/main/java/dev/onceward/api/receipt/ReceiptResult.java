package dev.onceward.api.receipt;

import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What a key led to. Immutable.
 *
 * @param runId the run, or null
 * @param todoId the to-do, or null
 * @param duplicate whether it was done for an earlier request
 * @param reclaimed whether an earlier request had died over it
 */
public record ReceiptResult(
    @Nullable UUID runId, @Nullable UUID todoId, boolean duplicate, boolean reclaimed) {}
