/**
 * {@code onceward offsets}: where the pipeline and its consumers stand, and moving a consumer
 * group.
 *
 * <p>The slot's position is PostgreSQL's, the watermark and the audit are the relay's row, topic
 * offsets and groups are Kafka's; each is shown as its owner says it at that moment.
 *
 * <p>A reset moves committed topic offsets and nothing else. All partitions are computed and
 * checked first, then one request moves them. A group with members is refused: its members would go
 * on from where they are and commit over it. Moving back means that records come again, which
 * workers recognise by their operations; moving forward skips what was not read, and is said.
 *
 * <p>Failure: every refusal comes before the one request, so that nothing is changed. A member that
 * joins in between makes Kafka refuse it.
 */
@NullMarked
package dev.onceward.ops.offsets;

import org.jspecify.annotations.NullMarked;
