package dev.onceward.ops.console.pipeline;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One look at the pipeline for the charts. Immutable.
 *
 * @param at the database's time
 * @param eventsPerSecond events written per second since the look before
 * @param finishedPerSecond operations that ended per second since then
 * @param relayLagSeconds how old the newest watermark is that is delivered; null before the first
 * @param medianSeconds how long half of the newest operations took at most, from the request to the
 *     end; null if none ended
 * @param p95Seconds the same for 95 % of them
 */
public record Sample(
    Instant at,
    double eventsPerSecond,
    double finishedPerSecond,
    @Nullable Double relayLagSeconds,
    @Nullable Double medianSeconds,
    @Nullable Double p95Seconds) {}
