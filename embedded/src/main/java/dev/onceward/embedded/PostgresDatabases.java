package dev.onceward.embedded;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import org.postgresql.ds.PGSimpleDataSource;

/** Connects to a server as superuser and makes and drops databases there. */
final class PostgresDatabases {
  private static final String MAINTENANCE = "postgres";
  private static final Duration DROP_LIMIT = Duration.ofSeconds(10);
  private static final int PROMOTE_LIMIT_SECONDS = 60;
  private static final String OBJECT_IN_USE = "55006";

  private PostgresDatabases() {}

  static Connection connect(PostgresServer server, String database) throws SQLException {
    PGSimpleDataSource source = new PGSimpleDataSource();
    source.setURL(server.jdbcUrl(database));
    source.setUser(server.superuser());
    source.setPassword(server.superuserPassword());
    source.setConnectTimeout(5);
    return source.getConnection();
  }

  static void create(PostgresServer server, String name, String template) throws SQLException {
    try (Connection connection = connect(server, MAINTENANCE);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE %s TEMPLATE %s".formatted(quote(name), quote(template)));
    }
  }

  static void drop(PostgresServer server, String name) throws SQLException {
    try (Connection connection = connect(server, MAINTENANCE);
        Statement statement = connection.createStatement()) {
      String drop = "DROP DATABASE IF EXISTS %s WITH (FORCE)".formatted(quote(name));
      Instant deadline = Instant.now().plus(DROP_LIMIT);
      while (true) {
        // FORCE ends sessions, but an active slot refuses the drop before that.
        endReplication(connection, name);
        try {
          statement.execute(drop);
          return;
        } catch (SQLException e) {
          if (!OBJECT_IN_USE.equals(e.getSQLState()) || Instant.now().isAfter(deadline)) {
            throw e;
          }
        }
      }
    }
  }

  static void promote(PostgresServer server) throws SQLException {
    try (Connection connection = connect(server, MAINTENANCE);
        PreparedStatement promote = connection.prepareStatement("SELECT pg_promote(true, ?)")) {
      promote.setInt(1, PROMOTE_LIMIT_SECONDS);
      try (ResultSet row = promote.executeQuery()) {
        row.next();
        if (!row.getBoolean(1)) {
          throw new InfrastructureException(
              "%s was not promoted within %d s. See its log: %s"
                  .formatted(server, PROMOTE_LIMIT_SECONDS, server.logTail()));
        }
      }
    }
  }

  /** The driver's own quoting refuses names with a quote inside. */
  private static String quote(String identifier) {
    return '"' + identifier.replace("\"", "\"\"") + '"';
  }

  private static void endReplication(Connection connection, String name) throws SQLException {
    // Waits up to 1 s for each process to be gone.
    String sql =
        """
        SELECT pg_terminate_backend(active_pid, 1000)
          FROM pg_replication_slots
         WHERE database = ? AND active_pid IS NOT NULL
        """;
    try (PreparedStatement end = connection.prepareStatement(sql)) {
      end.setString(1, name);
      end.execute();
    }
  }
}
