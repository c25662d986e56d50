package dev.onceward.relay.capture;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.process.Secret;
import java.lang.management.ManagementFactory;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** An engine of another version may count again: then its events cost half as much again. */
@ExtendWith(InfrastructureExtension.class)
class QuietPostgresTaskTest {

  @Test
  void the_engine_keeps_no_account_of_single_events(PostgresServer postgres) throws Exception {
    try (MigratedDatabase database = MigratedDatabase.create(postgres)) {
      String slot = "quiet_" + database.name();
      sql(database, "SELECT pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
      BlockingQueue<ChangeBatch> handed = new LinkedBlockingQueue<>();
      ChangeSource source = source(database, slot);
      Thread running = new Thread(() -> run(source, handed));
      running.start();
      try {
        // The first poll is over when the first one has come: all after it are dispatched in
        // silence.
        append(database);
        assertThat(handed.poll(20, TimeUnit.SECONDS)).isNotNull();
        long before = seen(slot);
        append(database);
        assertThat(handed.poll(20, TimeUnit.SECONDS)).isNotNull();

        assertThat(seen(slot)).isEqualTo(before).isLessThanOrEqualTo(1);
      } finally {
        source.close(Duration.ZERO);
        running.join(15_000);
      }
      sql(database, "SELECT pg_drop_replication_slot('" + slot + "')");
    }
  }

  private static ChangeSource source(MigratedDatabase database, String slot) {
    return CaptureKind.DEBEZIUM.source(
        new CaptureSettings(
            database.url(),
            "onceward_relay",
            new Secret(MigratedDatabase.PASSWORD),
            slot,
            "onceward_outbox",
            "onceward.outbox_events",
            Duration.ofMillis(10),
            100));
  }

  private static void run(ChangeSource source, BlockingQueue<ChangeBatch> handed) {
    try {
      source.run(handed::add);
    } catch (CaptureException e) {
      throw new IllegalStateException(e);
    }
  }

  /** By the engine's own MBean for the stream. */
  private static long seen(String slot) throws Exception {
    MBeanServer beans = ManagementFactory.getPlatformMBeanServer();
    ObjectName pattern =
        new ObjectName("debezium.postgres:type=connector-metrics,context=streaming,*");
    assertThat(beans.queryNames(pattern, null)).as("the engine's MBean, slot %s", slot).hasSize(1);
    return (Long)
        beans.getAttribute(
            beans.queryNames(pattern, null).iterator().next(), "TotalNumberOfEventsSeen");
  }

  private static void append(MigratedDatabase database) throws SQLException {
    try (Connection connection = database.connect("onceward_app")) {
      connection.setAutoCommit(false);
      WorkspaceContext.set(connection, UUID.randomUUID());
      OutboxWriter.append(connection, NewEvent.of("order.placed", "order", "a", "{}"));
      connection.commit();
    }
  }

  private static void sql(MigratedDatabase database, String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }
}
