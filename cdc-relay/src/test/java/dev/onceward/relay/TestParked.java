package dev.onceward.relay;

import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import org.apache.kafka.clients.consumer.ConsumerRecord;

/** Looks at {@code parked_events} and at the topics of one test. */
final class TestParked {
  private final MigratedDatabase database;
  private final String bootstrapServers;
  private final String prefix;

  TestParked(MigratedDatabase database, String bootstrapServers, String prefix) {
    this.database = database;
    this.bootstrapServers = bootstrapServers;
    this.prefix = prefix;
  }

  /** Waits until exactly these are parked with this status. */
  void awaitParked(String status, Collection<UUID> ids) {
    await()
        .atMost(Duration.ofSeconds(30))
        .until(() -> withStatus(status), new TreeSet<>(ids)::equals);
  }

  Set<UUID> withStatus(String status) throws SQLException {
    Set<UUID> ids = new TreeSet<>();
    try (Connection superuser = database.superuser();
        Statement query = superuser.createStatement();
        ResultSet row =
            query.executeQuery(
                "SELECT event_id FROM onceward.parked_events WHERE status = '" + status + "'")) {
      while (row.next()) {
        ids.add(row.getObject(1, UUID.class));
      }
    }
    return ids;
  }

  String ask(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement query = superuser.createStatement();
        ResultSet row = query.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  /** Waits until the view says so of every event; of a million it takes it a minute to say. */
  void awaitAllDispatched() {
    await()
        .atMost(Duration.ofMinutes(5))
        .until(
            () ->
                ask(
                    "SELECT count(*) FROM onceward.outbox_event_status WHERE status <> 'dispatched'"),
            "0"::equals);
  }

  List<ConsumerRecord<byte[], byte[]>> awaitDelivered(Collection<UUID> ids) {
    return await()
        .atMost(Duration.ofSeconds(60))
        .until(
            () -> TestRecords.read(bootstrapServers, prefix),
            records -> TestRecords.ids(records).containsAll(ids));
  }

  /** The ids as they stand in Kafka; per partition in order. */
  static List<UUID> order(List<ConsumerRecord<byte[], byte[]>> records) {
    return records.stream().map(TestRecords::id).toList();
  }
}
