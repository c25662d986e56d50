package dev.onceward.worker.media;

import dev.onceward.worker.handle.MaterialRules;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.RetriableTaskException;
import dev.onceward.worker.handle.TaskException;
import dev.onceward.worker.outbound.PublicAddresses;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Locale;

/**
 * A URL that may be fetched, with the addresses that were checked: nobody looks the name up again.
 * Immutable.
 *
 * @param scheme {@code http} or {@code https}
 * @param host without the brackets of an IPv6 literal
 * @param port always set
 * @param addresses all of the host's, at least one
 */
record MaterialTarget(URI url, String scheme, String host, int port, List<InetAddress> addresses) {

  /**
   * Checks a URL, be it a source or what a source redirects to.
   *
   * @throws PermanentTaskException if it may not be fetched
   * @throws RetriableTaskException if its host cannot be resolved now
   */
  static MaterialTarget check(URI url, MaterialRules rules, HostResolver resolver)
      throws TaskException {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    String host = url.getHost();
    if (!(scheme.equals("http") || scheme.equals("https")) || host == null || host.isEmpty()) {
      throw refused("Only http and https URLs with a host are fetched.");
    }
    if (url.getRawUserInfo() != null) {
      throw refused("A URL with a user is not fetched.");
    }
    String bare = host.startsWith("[") ? host.substring(1, host.length() - 1) : host;
    int port = url.getPort() >= 0 ? url.getPort() : scheme.equals("https") ? 443 : 80;
    if (port < 1 || port > 65_535) {
      throw refused("The URL's port does not exist.");
    }
    List<InetAddress> addresses = resolve(bare, resolver);
    if (!rules.allows(host, port) && !addresses.stream().allMatch(PublicAddresses::contain)) {
      throw refused(
          "The host has an address that is not public; onceward.worker.material-hosts-allowed may"
              + " name hosts that are fetched from all the same.");
    }
    return new MaterialTarget(url, scheme, bare, port, addresses);
  }

  private static List<InetAddress> resolve(String host, HostResolver resolver)
      throws RetriableTaskException {
    try {
      return List.of(resolver.resolve(host));
    } catch (UnknownHostException unknown) {
      throw new RetriableTaskException(
          "MATERIAL_HOST_UNKNOWN", "The host of the material cannot be resolved.", null, null);
    }
  }

  private static PermanentTaskException refused(String summary) {
    return new PermanentTaskException("MATERIAL_ADDRESS_REFUSED", summary);
  }
}
