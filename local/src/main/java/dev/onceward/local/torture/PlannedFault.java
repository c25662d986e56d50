package dev.onceward.local.torture;

import java.time.Duration;

/**
 * One step of a schedule. Immutable.
 *
 * @param pause before it, counted from the end of the one before
 * @param target whom it is meant for
 * @param kind what is done
 * @param hold how long it lasts
 * @param overlaps whether the next fault strikes while this one lasts
 */
record PlannedFault(
    Duration pause, Target target, FaultKind kind, Duration hold, boolean overlaps) {}
