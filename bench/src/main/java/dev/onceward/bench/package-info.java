/**
 * Measurements of the real pipeline, started for the purpose on this machine.
 *
 * <p>A number is only as good as what it says about itself: each report names the load, the machine
 * and what was measured from where to where. The clients run on the same machine as everything
 * else, so absolute numbers are a floor; compare ratios inside one run. Services run with Java's
 * own defaults here, not with the quick-start flags of {@code onceward up}.
 *
 * <p>Failure: a request that is not accepted, or an operation that does not succeed, ends the
 * measurement without a report.
 */
@NullMarked
package dev.onceward.bench;

import org.jspecify.annotations.NullMarked;
