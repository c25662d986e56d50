package dev.onceward.local.torture;

/**
 * What the comparison of operations with answers and effects has shown. Immutable.
 *
 * @param operations how many there are
 * @param extraCalls of the platform, beyond the first for each operation
 * @param effects operations with more than one effect, or succeeded ones without any
 * @param executions requests that were executed twice or answered with what is not there
 * @param unfinished operations that have not succeeded
 */
public record EffectResult(
    long operations, long extraCalls, Finding effects, Finding executions, Finding unfinished) {}
