package dev.onceward.worker.outbound;

import dev.onceward.process.Settings;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;

/** Hosts that may be asked although their addresses are not public, as an operator names them. */
public final class AllowedHosts {
  private AllowedHosts() {}

  /**
   * Reads such a setting; what is no HOST:PORT becomes a problem of the settings.
   *
   * @param key its name
   * @param description what it is for
   * @return host and port in lower case; empty if nothing is set
   */
  public static Set<String> from(Settings settings, String key, String description) {
    String hosts = settings.optionalText(key, description);
    Set<String> allowed = new HashSet<>();
    for (String host : hosts == null ? new String[0] : hosts.split(",", -1)) {
      String pair = host.strip().toLowerCase(Locale.ROOT);
      if (!pair.matches("[^/@\\s]+:[0-9]{1,5}")) {
        settings.problem(
            key, "holds \"" + host.strip() + "\"", "Give HOST:PORT, several separated by commas");
      }
      allowed.add(pair);
    }
    return allowed;
  }
}
