package dev.onceward.ops.console.pipeline;

import dev.onceward.db.relay.RelayControl;
import dev.onceward.ops.status.PipelineStatus;
import org.jspecify.annotations.Nullable;

/**
 * What the database said last. Immutable.
 *
 * @param status null if it did not answer
 * @param relay what its row and its lock show; null if no relay has ever run
 * @param failure why it did not answer; null if it did
 */
public record DatabaseLook(
    @Nullable PipelineStatus status,
    RelayControl.@Nullable Relay relay,
    @Nullable String failure) {}
