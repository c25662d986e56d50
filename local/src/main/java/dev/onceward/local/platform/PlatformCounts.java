package dev.onceward.local.platform;

/**
 * The ledger in numbers. Immutable.
 *
 * @param keys distinct idempotency keys seen
 * @param calls requests that reached the platform
 * @param effects changes that a real platform would have made
 * @param lostAnswers calls whose answer was withheld on purpose
 * @param failures calls refused with a retriable status
 */
public record PlatformCounts(long keys, long calls, long effects, long lostAnswers, long failures) {

  /** Calls beyond the first of each key. */
  public long extraCalls() {
    return calls - keys;
  }
}
