package dev.onceward.relay.slot;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * How long transactions have been open, by when their id was first seen: the server tells begin
 * times of others only to those who may also read their statements. Confined to the session's
 * thread.
 */
final class OpenTransactions {
  private final Map<Long, Long> firstSeenNanos = new HashMap<>();

  /**
   * Notes what runs at this moment.
   *
   * @param running ids of all open transactions that have written
   * @return the longest that one of them has been seen; zero if none is open
   */
  Duration seen(Set<Long> running, long nowNanos) {
    firstSeenNanos.keySet().retainAll(running);
    long oldest = 0;
    for (Long xid : running) {
      oldest = Math.max(oldest, nowNanos - firstSeenNanos.computeIfAbsent(xid, x -> nowNanos));
    }
    return Duration.ofNanos(oldest);
  }
}
