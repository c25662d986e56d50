/**
 * Reads topics as an outside consumer would: from the beginning, without a group, believing only
 * what a broker hands out. For the demonstration and for tests that count records.
 */
@NullMarked
package dev.onceward.local.topic;

import org.jspecify.annotations.NullMarked;
