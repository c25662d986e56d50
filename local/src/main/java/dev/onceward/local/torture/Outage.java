package dev.onceward.local.torture;

import java.time.Instant;

/**
 * One fault that was injected. Immutable.
 *
 * @param part which part
 * @param kind what was done to it
 * @param from when that was done
 * @param until when its repair began
 */
record Outage(String part, FaultKind kind, Instant from, Instant until) {}
