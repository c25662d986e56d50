package dev.onceward.bench;

import java.util.Arrays;

/** Sorted latencies of one run. Immutable. */
public final class Latencies {

  private final long[] sortedNanos;

  /**
   * Takes what was measured.
   *
   * @param nanos at least one, in any order
   */
  public Latencies(long[] nanos) {
    if (nanos.length == 0) {
      throw new IllegalArgumentException("no latencies were measured");
    }
    sortedNanos = nanos.clone();
    Arrays.sort(sortedNanos);
  }

  /**
   * The least latency that at least this share of all does not exceed (nearest rank).
   *
   * @param share above 0, up to 1
   * @return milliseconds
   */
  public double percentileMillis(double share) {
    if (!(share > 0 && share <= 1)) {
      throw new IllegalArgumentException("share is " + share + "; it must be above 0, up to 1");
    }
    int rank = (int) Math.ceil(share * sortedNanos.length);
    return sortedNanos[Math.max(1, rank) - 1] / 1e6;
  }

  /** The greatest, in milliseconds. */
  public double maxMillis() {
    return percentileMillis(1);
  }
}
