package dev.onceward.ops.console.pipeline;

import dev.onceward.ops.offsets.OffsetsReport;
import org.jspecify.annotations.Nullable;

/**
 * What Kafka said last. Immutable.
 *
 * @param report what topics hold and how far groups are; null if it did not answer
 * @param failure why it did not answer; null if it did
 */
public record KafkaLook(@Nullable OffsetsReport report, @Nullable String failure) {}
