package dev.onceward.bench.relay;

/**
 * What one run of one contender gave at one rate. What could not be measured is NaN.
 *
 * @param p50Millis from a commit's return to the record's arrival at a consumer
 * @param p99Millis likewise
 * @param maxMillis likewise
 * @param cpuPercent of one core, the contender's process under this load
 */
record LiveMeasured(double p50Millis, double p99Millis, double maxMillis, double cpuPercent) {}
