package dev.onceward.worker.handle;

import java.time.Duration;
import java.util.Locale;
import java.util.Set;

/**
 * What may be fetched from elsewhere, and how long and how much. Immutable.
 *
 * @param maxBytes the largest material taken
 * @param timeout for a whole fetch, redirects included
 * @param allowedHosts {@code host:port} pairs, lower case, that may be fetched from although their
 *     addresses are not public
 */
public record MaterialRules(long maxBytes, Duration timeout, Set<String> allowedHosts) {

  /** What holds unless something else is configured: 16 MiB, 30 s, public addresses only. */
  public static final MaterialRules DEFAULT =
      new MaterialRules(16L * 1024 * 1024, Duration.ofSeconds(30), Set.of());

  /** Copies the pairs. */
  public MaterialRules {
    allowedHosts = Set.copyOf(allowedHosts);
  }

  /** Whether this host and port may be fetched from whatever its address is. */
  public boolean allows(String host, int port) {
    return allowedHosts.contains(host.toLowerCase(Locale.ROOT) + ":" + port);
  }
}
