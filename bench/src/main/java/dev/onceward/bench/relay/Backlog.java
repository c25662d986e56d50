package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.db.WorkspaceContext;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Random;

/** Committed events behind a slot of their own, which every contender gets a copy of. */
final class Backlog {
  static final String AGGREGATE_TYPE = "bench";
  static final String PUBLICATION = "onceward_outbox";
  static final String SLOT = "bench_backlog";
  static final int PARTITIONS = 6;

  private static final int MOST_PER_TRANSACTION = 100;

  /** Payloads of 300 bytes that do not compress to nothing. */
  private static final String WRITE =
      """
      INSERT INTO onceward.outbox_events (event_type, aggregate_type, aggregate_id, resource_type, resource_id, payload)
      SELECT 'bench.happened', 'bench', 'thing-' || n % 1000, 'bench', 'thing-' || n % 1000,
        ('{"text":"' || left(repeat(md5(n::text), 5) || repeat(md5((-n)::text), 5), 289) || '"}')::json
      FROM generate_series(?, ?) AS n
      """;

  private Backlog() {}

  /** Makes the slot, then writes so many events in transactions of 1 to 100. */
  static void write(BenchServers servers, Slots slots, int events) throws SQLException {
    slots.make(SLOT);
    Random random = new Random(42);
    try (Connection connection =
        DriverManager.getConnection(servers.url(), BenchServers.APP_ROLE, servers.password())) {
      connection.setAutoCommit(false);
      for (int first = 1; first <= events; ) {
        int last = Math.min(events, first + random.nextInt(MOST_PER_TRANSACTION));
        WorkspaceContext.set(connection, servers.workspaceId());
        write(connection, first, last);
        connection.commit();
        first = last + 1;
      }
    }
    slots.settle();
  }

  private static void write(Connection connection, int from, int to) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(WRITE)) {
      insert.setInt(1, from);
      insert.setInt(2, to);
      insert.executeUpdate();
    }
  }
}
