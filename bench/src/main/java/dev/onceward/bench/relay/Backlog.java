package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.workspace.WorkspaceStore;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;

/** Committed events behind a slot of their own, which every contender gets a copy of. */
final class Backlog {
  static final String AGGREGATE_TYPE = "bench";
  static final String PUBLICATION = "onceward_outbox";
  static final String SLOT = "bench_backlog";
  static final int PARTITIONS = 6;

  /** Texts that do not compress to nothing. */
  private static final String WRITE =
      """
      INSERT INTO onceward.outbox_events (event_type, aggregate_type, aggregate_id, resource_type, resource_id, payload)
      SELECT 'bench.happened', 'bench', 'thing-' || n % 1000, 'bench', 'thing-' || n % 1000,
        ('{"text":"' || left((SELECT string_agg(md5(n || '-' || block), '') FROM generate_series(1, ?) AS block), ?)
          || '"}')::json
      FROM generate_series(?, ?) AS n
      """;

  private static final int BLOCK_BYTES = 32;
  private static final int BYTES_AROUND_TEXT = 11;

  private Backlog() {}

  /** Makes the slot, then writes. */
  static void write(BenchServers servers, Slots slots, Shape shape) throws SQLException {
    slots.make(SLOT);
    List<UUID> workspaces = workspaces(servers, shape.workspaces());
    Random random = new Random(42);
    try (Connection connection =
        DriverManager.getConnection(servers.url(), BenchServers.APP_ROLE, servers.password())) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET synchronous_commit = off");
      }
      connection.setAutoCommit(false);
      int transaction = 0;
      for (int first = 1; first <= shape.events(); ) {
        int rows = shape.leastRows() + random.nextInt(shape.mostRows() - shape.leastRows() + 1);
        int last = Math.min(shape.events(), first + rows - 1);
        WorkspaceContext.set(connection, workspaces.get(transaction++ % workspaces.size()));
        write(connection, shape.payloadBytes(), first, last);
        connection.commit();
        first = last + 1;
      }
    }
    slots.settle();
  }

  private static List<UUID> workspaces(BenchServers servers, int count) throws SQLException {
    List<UUID> workspaces = new ArrayList<>(List.of(servers.workspaceId()));
    while (workspaces.size() < count) {
      workspaces.add(
          servers.app().inTransaction(connection -> WorkspaceStore.create(connection, "bench")));
    }
    return workspaces;
  }

  private static void write(Connection connection, int payloadBytes, int from, int to)
      throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(WRITE)) {
      insert.setInt(1, (payloadBytes + BLOCK_BYTES - 1) / BLOCK_BYTES);
      insert.setInt(2, payloadBytes - BYTES_AROUND_TEXT);
      insert.setInt(3, from);
      insert.setInt(4, to);
      insert.executeUpdate();
    }
  }
}
