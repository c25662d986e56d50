/** Tests of clients for Kafka. */
@NullMarked
package dev.onceward.ops.kafka;

import org.jspecify.annotations.NullMarked;
