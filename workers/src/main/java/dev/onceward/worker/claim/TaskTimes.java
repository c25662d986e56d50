package dev.onceward.worker.claim;

import dev.onceward.worker.retry.Backoff;
import java.time.Duration;

/**
 * The time limits of tasks. Immutable.
 *
 * @param lease how long a claim holds unless renewed
 * @param renewal how often leases are renewed; well below the lease
 * @param handlerTimeout for handlers that name none
 * @param backoff between attempts
 */
public record TaskTimes(
    Duration lease, Duration renewal, Duration handlerTimeout, Backoff backoff) {}
