package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import java.sql.Connection;
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
    for (int first = 1; first <= events; ) {
      int from = first;
      int to = Math.min(events, first + random.nextInt(MOST_PER_TRANSACTION));
      servers
          .app()
          .runInWorkspace(servers.workspaceId(), connection -> write(connection, from, to));
      first = to + 1;
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
