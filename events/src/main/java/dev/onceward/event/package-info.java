/** The event contract: what a record on Kafka is, and how it is read. */
@NullMarked
package dev.onceward.event;

import org.jspecify.annotations.NullMarked;
