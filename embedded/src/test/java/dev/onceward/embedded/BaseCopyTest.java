package dev.onceward.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BaseCopyTest {
  @TempDir Path directory;

  @Test
  void a_copy_starts_as_a_primary_with_the_rows_of_that_time_and_without_slots() throws Exception {
    try (PostgresServer server = PostgresServer.start(PostgresOptions.temporary())) {
      execute(server, "CREATE TABLE kept (id bigint GENERATED ALWAYS AS IDENTITY, filler text)");
      execute(server, "SELECT pg_create_logical_replication_slot('kept', 'pgoutput')");
      long before = write(server, 500);
      BaseCopy copy = copyUnderLoad(server);
      long after = write(server, 10);
      try (copy;
          PostgresServer restored = PostgresServer.start(PostgresOptions.temporary(), copy)) {
        assertThat(number(restored, "SELECT count(*) FROM kept")).isBetween(before, after - 10);
        assertThat(number(restored, "SELECT count(*) - max(id) FROM kept")).isZero();
        assertThat(number(restored, "SELECT count(*) FROM pg_replication_slots")).isZero();
        assertThat(number(restored, "SELECT pg_is_in_recovery()::int")).isZero();
        assertThat(identifier(restored)).isEqualTo(identifier(server));
        assertThat(restored.port()).isNotEqualTo(server.port());
        write(restored, 1);
        restored.stop(ShutdownMode.IMMEDIATE);
        restored.start();
        assertThat(number(restored, "SELECT count(*) FROM kept")).isGreaterThan(before);
      }
      assertThat(number(server, "SELECT count(*) FROM kept")).isEqualTo(after);
      // Its own slot went with its session.
      assertThat(number(server, "SELECT count(*) FROM pg_replication_slots")).isEqualTo(1);
    }
  }

  @Test
  void a_standby_promoted_after_a_loss_gives_the_lost_transactions_ids_again() throws Exception {
    try (PostgresServer primary = PostgresServer.start(PostgresOptions.temporary())) {
      execute(primary, "CREATE TABLE kept (id bigint GENERATED ALWAYS AS IDENTITY, filler text)");
      try (BaseCopy copy = primary.baseCopy();
          PostgresServer standby =
              PostgresServer.startStandby(PostgresOptions.temporary(), copy, primary)) {
        assertThat(number(standby, "SELECT pg_is_in_recovery()::int")).isEqualTo(1);
        long followed = write(primary, 3);
        await()
            .atMost(Duration.ofSeconds(30))
            .until(() -> number(standby, "SELECT count(*) FROM kept") == followed);
        assertThatThrownBy(() -> write(standby, 1)).hasMessageContaining("read-only");

        standby.stop(ShutdownMode.FAST);
        long lost = number(primary, "INSERT INTO kept DEFAULT VALUES RETURNING xmin::text::bigint");
        primary.kill();
        standby.start();
        standby.promote();

        assertThat(number(standby, "SELECT count(*) FROM kept")).isEqualTo(followed);
        assertThat(identifier(standby)).isNotZero();
        long given;
        do {
          given = number(standby, "INSERT INTO kept DEFAULT VALUES RETURNING xmin::text::bigint");
        } while (given < lost);
        assertThat(given).isEqualTo(lost);

        standby.stop(ShutdownMode.FAST);
        standby.start();
        assertThat(number(standby, "SELECT pg_is_in_recovery()::int")).isZero();
      }
    }
  }

  @Test
  void a_directory_with_data_is_not_filled_from_a_copy() throws Exception {
    PostgresOptions kept = PostgresOptions.keptIn(directory).withoutDurability();
    try (PostgresServer server = PostgresServer.start(kept);
        BaseCopy copy = server.baseCopy()) {
      server.close();
      assertThatThrownBy(() -> PostgresServer.start(kept, copy))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining("holds data of PostgreSQL already");
    }
  }

  /** Writers go on while it is taken. */
  private static BaseCopy copyUnderLoad(PostgresServer server) throws Exception {
    AtomicBoolean over = new AtomicBoolean();
    ExecutorService writer = Executors.newSingleThreadExecutor();
    Future<Long> written =
        writer.submit(
            () -> {
              long count = 0;
              while (!over.get()) {
                count = write(server, 20);
              }
              return count;
            });
    try {
      return server.baseCopy();
    } finally {
      over.set(true);
      assertThat(written.get()).isGreaterThan(500);
      writer.shutdown();
    }
  }

  /** Returns how many rows there are then. */
  private static long write(PostgresServer server, int rows) throws SQLException {
    execute(
        server,
        "INSERT INTO kept (filler) SELECT repeat('x', 1000) FROM generate_series(1, " + rows + ")");
    return number(server, "SELECT count(*) FROM kept");
  }

  private static long identifier(PostgresServer server) throws SQLException {
    return number(server, "SELECT system_identifier FROM pg_control_system()");
  }

  private static long number(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static void execute(PostgresServer server, String sql) throws SQLException {
    try (Connection connection = server.connect("postgres");
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
