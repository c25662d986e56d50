package dev.onceward.embedded;

import java.nio.file.Path;
import java.util.List;

/**
 * Says why PostgreSQL did not start. Its log is the only place where an ended server says so, hence
 * the text is read (in the C locale).
 */
final class PostgresFailure {
  private PostgresFailure() {}

  static InfrastructureException explain(List<String> log, int port, Path directory) {
    String text = String.join("\n", log);
    if (text.contains("could not bind") || text.contains("could not create any TCP/IP sockets")) {
      return FreePorts.taken(port, "postgresql");
    }
    if (text.contains("lock file \"postmaster.pid\" already exists")
        || text.contains("pre-existing shared memory block")) {
      return WorkDirectory.inUse(directory, "postgresql");
    }
    return new InfrastructureException(
        "PostgreSQL in %s ended while starting. Its last words:%n%s".formatted(directory, text));
  }
}
