package dev.onceward.ops.console.session;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/** Slows whoever guesses, by the address that it comes from. Thread-safe. */
public final class SignInThrottle {
  private static final int ADDRESSES = 10_000;
  private static final int FREE_FAILURES = 3;
  private static final int MOST_DOUBLINGS = 5;
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
  private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(15);

  private final LongSupplier nanoTime;
  private final Map<String, Failures> byAddress =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Failures> eldest) {
          return size() > ADDRESSES;
        }
      };

  private record Failures(int count, long lastNanos) {}

  /** Nobody has failed yet. */
  public SignInThrottle(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /** How long an address has to wait until it may try; zero if it may now. */
  public synchronized Duration waitOf(String address) {
    Failures failures = byAddress.get(address);
    if (failures == null || failures.count < FREE_FAILURES) {
      return Duration.ZERO;
    }
    Duration since = Duration.ofNanos(nanoTime.getAsLong() - failures.lastNanos);
    if (since.compareTo(FORGOTTEN_AFTER) > 0) {
      byAddress.remove(address);
      return Duration.ZERO;
    }
    int doublings = Math.min(MOST_DOUBLINGS, failures.count - FREE_FAILURES);
    Duration wait = Duration.ofSeconds(1L << doublings);
    Duration left = (wait.compareTo(LONGEST_WAIT) > 0 ? LONGEST_WAIT : wait).minus(since);
    return left.isNegative() ? Duration.ZERO : left;
  }

  /** A wrong name or password came from there. */
  public synchronized void failed(String address) {
    Failures before = byAddress.get(address);
    byAddress.put(
        address, new Failures(before == null ? 1 : before.count + 1, nanoTime.getAsLong()));
  }

  /** Somebody signed in from there. */
  public synchronized void succeeded(String address) {
    byAddress.remove(address);
  }
}
