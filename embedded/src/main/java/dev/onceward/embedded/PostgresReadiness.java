package dev.onceward.embedded;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Waits until PostgreSQL lets the superuser in; recovery after a crash is part of the wait. */
final class PostgresReadiness {
  private static final Duration PAUSE = Duration.ofMillis(25);

  /** Wrong password, unknown role, unknown database: waiting does not help. */
  private static final Set<String> FINAL = Set.of("28P01", "28000", "3D000");

  private PostgresReadiness() {}

  static void await(PostgresServer server, StartingServer process, Duration limit) {
    Instant deadline = Instant.now().plus(limit);
    while (true) {
      try (Connection connection = server.connect("postgres")) {
        return;
      } catch (SQLException e) {
        if (process.awaitExit(PAUSE)) {
          throw process.ended();
        }
        if (FINAL.contains(e.getSQLState()) || Instant.now().isAfter(deadline)) {
          throw new InfrastructureException(
              "PostgreSQL, %s, does not let the superuser in (waited at most %d s): %s"
                  .formatted(process.place(), limit.toSeconds(), e.getMessage()),
              e);
        }
      }
    }
  }
}
