package dev.onceward.bench.relay;

/**
 * What one run of one contender gave. What could not be measured is NaN.
 *
 * @param firstSeconds from the start of the process to the first record in Kafka
 * @param eventsPerSecond from the first record to the last
 * @param steadyPerSecond likewise, the second half of the events alone
 * @param first100kToSteady how much longer the first 100,000 events took than as many at the steady
 *     rate; NaN for fewer than 200,000 events
 * @param settledSeconds from the last record until nothing was left to do
 * @param cpuSeconds of the process
 * @param postgresCpuSeconds of PostgreSQL with all its backends
 * @param kafkaCpuSeconds of the broker
 * @param peakMemoryMib the most that the process held at once
 */
record Measured(
    double firstSeconds,
    double eventsPerSecond,
    double steadyPerSecond,
    double first100kToSteady,
    double settledSeconds,
    double cpuSeconds,
    double postgresCpuSeconds,
    double kafkaCpuSeconds,
    double peakMemoryMib) {}
