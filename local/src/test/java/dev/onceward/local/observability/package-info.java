/**
 * Alert rules, dashboard and runbook speak of the same things. What the processes export is the
 * business of the test that runs them.
 */
@NullMarked
package dev.onceward.local.observability;

import org.jspecify.annotations.NullMarked;
