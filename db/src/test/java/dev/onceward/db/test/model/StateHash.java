package dev.onceward.db.test.model;

/**
 * A hash for states. That of a record is a sum with small factors, in which the many small numbers
 * of a nested state come to the same too often.
 */
public final class StateHash {
  private static final int FACTOR = 0x9E3779B1;

  private StateHash() {}

  /** Of all parts, in their order. */
  public static int of(Object... parts) {
    int hash = 0;
    for (Object part : parts) {
      hash = (hash ^ part.hashCode()) * FACTOR;
      hash ^= hash >>> 15;
    }
    return hash;
  }
}
