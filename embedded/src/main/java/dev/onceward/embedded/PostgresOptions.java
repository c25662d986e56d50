package dev.onceward.embedded;

import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a PostgreSQL server is started. Immutable; each {@code with…} method returns a changed copy.
 *
 * @param directory where data, password, settings and log are kept; null for a temporary directory,
 *     deleted at the end
 * @param port the TCP port; 0 takes a free one
 * @param settings server settings beyond the defaults, over which they win; always {@code
 *     wal_level=logical} unless named here
 * @param startLimit how long a start (with recovery after a crash) may take
 */
public record PostgresOptions(
    @Nullable Path directory, int port, Map<String, String> settings, Duration startLimit) {

  /** What a start takes on a busy machine, and more. */
  private static final Duration START_LIMIT = Duration.ofMinutes(2);

  /** Checks the values. */
  public PostgresOptions {
    FreePorts.requireValid(port);
    settings = Map.copyOf(settings);
    settings.forEach(PostgresSettings::requireValid);
  }

  /** Temporary, on a free port, durable ({@code fsync=on}). */
  public static PostgresOptions temporary() {
    return new PostgresOptions(null, 0, Map.of(), START_LIMIT);
  }

  /** Kept in this directory (made if missing), on a free port, durable. */
  public static PostgresOptions keptIn(Path directory) {
    return new PostgresOptions(directory, 0, Map.of(), START_LIMIT);
  }

  /** On this port. */
  public PostgresOptions withPort(int wanted) {
    return new PostgresOptions(directory, wanted, settings, startLimit);
  }

  /** With this server setting, for example {@code max_slot_wal_keep_size}, {@code 64MB}. */
  public PostgresOptions withSetting(String name, String value) {
    Map<String, String> changed = new LinkedHashMap<>(settings);
    changed.put(name, value);
    return new PostgresOptions(directory, port, changed, startLimit);
  }

  /**
   * Without waiting for the disk: faster, and after a crash of the machine (not of the process) the
   * data is worthless.
   */
  public PostgresOptions withoutDurability() {
    return withSetting("fsync", "off")
        .withSetting("synchronous_commit", "off")
        .withSetting("full_page_writes", "off");
  }

  /** With another limit for the start. */
  public PostgresOptions withStartLimit(Duration limit) {
    return new PostgresOptions(directory, port, settings, limit);
  }

  boolean isDurable() {
    return !"off".equals(settings.get("fsync"));
  }
}
