package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Random;

/** Committed events that every contender reads from a copy of one slot. */
final class Backlog implements AutoCloseable {
  static final String AGGREGATE_TYPE = "bench";
  static final String PUBLICATION = "onceward_outbox";
  static final int PARTITIONS = 6;

  private static final int MOST_PER_TRANSACTION = 100;
  private static final Duration UNUSED_LIMIT = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(50);
  private static final String BASE_SLOT = "bench_backlog";

  /** Payloads of 300 bytes that do not compress to nothing. */
  private static final String WRITE =
      """
      INSERT INTO onceward.outbox_events (event_type, aggregate_type, aggregate_id, resource_type, resource_id, payload)
      SELECT 'bench.happened', 'bench', 'thing-' || n % 1000, 'bench', 'thing-' || n % 1000,
        ('{"text":"' || left(repeat(md5(n::text), 5) || repeat(md5((-n)::text), 5), 289) || '"}')::json
      FROM generate_series(?, ?) AS n
      """;

  private final BenchServers servers;

  private Backlog(BenchServers servers) {
    this.servers = servers;
  }

  /** Makes the slot, then writes so many events in transactions of 1 to 100. */
  static Backlog write(BenchServers servers, int events) throws SQLException {
    Backlog backlog = new Backlog(servers);
    backlog.execute("SELECT pg_create_logical_replication_slot('" + BASE_SLOT + "', 'pgoutput')");
    Random random = new Random(42);
    for (int first = 1; first <= events; ) {
      int from = first;
      int to = Math.min(events, first + random.nextInt(MOST_PER_TRANSACTION));
      servers
          .app()
          .runInWorkspace(servers.workspaceId(), connection -> write(connection, from, to));
      first = to + 1;
    }
    backlog.settle();
    return backlog;
  }

  private static void write(Connection connection, int from, int to) throws SQLException {
    try (PreparedStatement insert = connection.prepareStatement(WRITE)) {
      insert.setInt(1, from);
      insert.setInt(2, to);
      insert.executeUpdate();
    }
  }

  /** What PostgreSQL would else do during a run. */
  void settle() throws SQLException {
    execute("VACUUM (ANALYZE) onceward.outbox_events");
    execute("CHECKPOINT");
  }

  /** A slot that stands before the backlog. */
  void makeSlot(String name) throws SQLException {
    execute("SELECT pg_copy_logical_replication_slot('" + BASE_SLOT + "', '" + name + "')");
  }

  /** Waits until PostgreSQL has noticed that a killed contender is gone. */
  void awaitUnused(String slot) throws SQLException, InterruptedException {
    long limit = System.nanoTime() + UNUSED_LIMIT.toNanos();
    while (isUsed(slot)) {
      if (System.nanoTime() - limit > 0) {
        throw new IllegalStateException("the slot " + slot + " is in use long after its user");
      }
      Thread.sleep(LOOK.toMillis());
    }
  }

  private boolean isUsed(String slot) throws SQLException {
    try (Connection superuser = servers.connectAsSuperuser();
        PreparedStatement query =
            superuser.prepareStatement(
                "SELECT active FROM pg_replication_slots WHERE slot_name = ?")) {
      query.setString(1, slot);
      try (ResultSet row = query.executeQuery()) {
        return row.next() && row.getBoolean(1);
      }
    }
  }

  /** Drops a slot that nobody streams from any more. */
  void dropSlot(String name) throws SQLException {
    execute("SELECT pg_drop_replication_slot('" + name + "')");
  }

  private void execute(String sql) throws SQLException {
    try (Connection superuser = servers.connectAsSuperuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws SQLException {
    dropSlot(BASE_SLOT);
  }
}
