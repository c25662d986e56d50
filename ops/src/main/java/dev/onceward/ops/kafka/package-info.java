/**
 * Kafka for operators: clients that answer within seconds or fail, from the same settings {@code
 * onceward.kafka.*} as every process.
 *
 * <p>Failure: a broker that is away, refuses the login or forbids the question is one line with the
 * remedy and exit code 4, as a database that is away is. Nothing is retried beyond the time-outs:
 * the operator is there and can try again.
 */
@NullMarked
package dev.onceward.ops.kafka;

import org.jspecify.annotations.NullMarked;
