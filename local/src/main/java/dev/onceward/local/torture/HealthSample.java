package dev.onceward.local.torture;

import java.time.Instant;

/**
 * One question to a process for its health. Immutable.
 *
 * @param service who was asked
 * @param askedAt when
 * @param answeredAt when the answer came, or was given up
 * @param ready whether the answer was: ready
 */
record HealthSample(String service, Instant askedAt, Instant answeredAt, boolean ready) {}
