package dev.onceward.bench.relay;

import dev.onceward.bench.BenchServers;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** The replication slots of a measurement. Confined to one thread. */
final class Slots {
  private static final Duration UNUSED_LIMIT = Duration.ofSeconds(60);
  private static final Duration LOOK = Duration.ofMillis(50);

  private final BenchServers servers;

  Slots(BenchServers servers) {
    this.servers = servers;
  }

  /** A slot that begins now. */
  void make(String name) throws SQLException {
    execute("SELECT pg_create_logical_replication_slot('" + name + "', 'pgoutput')");
  }

  /** A slot that begins where another one stands. */
  void copy(String from, String name) throws SQLException {
    execute("SELECT pg_copy_logical_replication_slot('" + from + "', '" + name + "')");
  }

  /** Drops a slot once PostgreSQL has noticed that its user is gone. */
  void dropUnused(String name) throws SQLException, InterruptedException {
    long limit = System.nanoTime() + UNUSED_LIMIT.toNanos();
    while (isUsed(name)) {
      if (System.nanoTime() - limit > 0) {
        throw new IllegalStateException("the slot " + name + " is in use long after its user");
      }
      Thread.sleep(LOOK.toMillis());
    }
    execute("SELECT pg_drop_replication_slot('" + name + "')");
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

  /** Empties the outbox. */
  void forgetRows() throws SQLException {
    execute("TRUNCATE onceward.outbox_events");
  }

  /** What PostgreSQL would else do during a run. */
  void settle() throws SQLException {
    execute("VACUUM (ANALYZE) onceward.outbox_events");
    execute("CHECKPOINT");
  }

  private void execute(String sql) throws SQLException {
    try (Connection superuser = servers.connectAsSuperuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }
}
