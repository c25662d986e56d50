/**
 * The demonstration: one wish, sent twice, followed through every part to its one effect.
 *
 * <p>It believes nobody. What it shows is read from the part that owns it: the answers from HTTP,
 * the commit time from PostgreSQL, the record from Kafka with a consumer that started before the
 * request, the claim from the operation's row, the effect from the platform's books. Then it checks
 * the counts.
 *
 * <p>Failure: whatever does not fit ends it with {@link
 * dev.onceward.local.demo.DemoFailedException} and its reason.
 */
@NullMarked
package dev.onceward.local.demo;

import org.jspecify.annotations.NullMarked;
