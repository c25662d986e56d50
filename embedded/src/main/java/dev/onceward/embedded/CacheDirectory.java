package dev.onceward.embedded;

import java.nio.file.Files;
import java.nio.file.Path;

/** Where unpacked programs are kept between runs: {@code ONCEWARD_EMBEDDED_CACHE}, or a default. */
final class CacheDirectory {
  static final String VARIABLE = "ONCEWARD_EMBEDDED_CACHE";

  private CacheDirectory() {}

  /** A default that the given user can reach: root's home is closed to others. */
  static Path forUser(ServerUser user) {
    String set = System.getenv(VARIABLE);
    if (set != null && !set.isBlank()) {
      return Path.of(set).toAbsolutePath();
    }
    if (user.account() != null) {
      return Path.of("/var/lib/onceward/cache");
    }
    String xdg = System.getenv("XDG_CACHE_HOME");
    if (xdg != null && !xdg.isBlank()) {
      return Path.of(xdg, "onceward");
    }
    Path home = Path.of(System.getProperty("user.home"));
    return Files.isWritable(home)
        ? home.resolve(".cache").resolve("onceward")
        : Path.of(
            System.getProperty("java.io.tmpdir"), "onceward-" + System.getProperty("user.name"));
  }
}
