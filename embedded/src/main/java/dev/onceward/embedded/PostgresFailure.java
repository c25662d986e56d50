package dev.onceward.embedded;

import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;

/**
 * Says why PostgreSQL did not start. Its log is the only place where an ended server says so, hence
 * the text is read (in the C locale); connections are judged by SQLSTATE.
 */
final class PostgresFailure {
  /** Wrong password, unknown role, unknown database: waiting does not help. */
  private static final Set<String> FINAL = Set.of("28P01", "28000", "3D000");

  private PostgresFailure() {}

  static boolean isFinal(SQLException e) {
    return FINAL.contains(e.getSQLState());
  }

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
