package dev.onceward.local.torture;

import java.time.Duration;

/**
 * What the comparison of health with outages has shown. Immutable.
 *
 * @param outages that lasted longer than the bound
 * @param slowest how far into one of these a process still said that it was ready
 * @param dishonest who said so beyond the bound
 */
record HonestyResult(int outages, Duration slowest, Finding dishonest) {}
