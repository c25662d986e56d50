package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.LongFault;
import dev.onceward.embedded.junit.TestTopics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Nobody writes events, and everybody else is busy: the slot moves all the same. */
@ExtendWith(InfrastructureExtension.class)
class IdleOutboxTest {
  private static final Logger LOG = LoggerFactory.getLogger(IdleOutboxTest.class);

  private PostgresServer postgres;
  private TestTopics topics;
  private MigratedDatabase database;

  @BeforeEach
  void prepare(PostgresServer postgres, TestTopics topics) throws SQLException {
    this.postgres = postgres;
    this.topics = topics;
    database = MigratedDatabase.create(postgres);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  @Tag("S01")
  @Tag("S02")
  void busy_neighbours_do_not_pin_the_log() throws Exception {
    beBusyFor(Duration.ofSeconds(10));
  }

  @LongFault
  @Test
  @Tag("S01")
  @Tag("S02")
  void busy_neighbours_do_not_pin_the_log_for_ten_minutes() throws Exception {
    beBusyFor(Duration.ofMinutes(10));
  }

  private void beBusyFor(Duration length) throws Exception {
    try (TestRelay relay =
            TestRelay.start(
                    TestRelay.settings(database, topics.bootstrapServers(), topics.prefix()))
                .awaitUp();
        MigratedDatabase other = MigratedDatabase.create(postgres);
        Connection here = database.superuser();
        Connection there = other.superuser();
        Statement writeHere = here.createStatement();
        Statement writeThere = there.createStatement()) {
      long begun = position(writeHere);
      writeHere.execute("CREATE TABLE busy AS SELECT n FROM generate_series(1, 20000) AS n");
      writeThere.execute("CREATE TABLE busy AS SELECT n FROM generate_series(1, 20000) AS n");
      long end = System.nanoTime() + length.toNanos();
      while (System.nanoTime() < end) {
        writeHere.execute("UPDATE busy SET n = n + 1");
        writeThere.execute("UPDATE busy SET n = n + 1");
        writeHere.execute("SELECT pg_switch_wal(), pg_sleep(0.5)");
        assertThat(relay.health().reasons()).isEmpty();
      }
      long written = position(writeHere) - begun;
      assertThat(written).isGreaterThan(50_000_000);
      // The server lets go of what lies before the last checkpoint record that the slot has passed.
      await()
          .atMost(Duration.ofSeconds(30))
          .untilAsserted(() -> assertThat(retained(writeHere)).isLessThan(written / 3));
      LOG.info("{} MB written, {} MB kept", written / 1_000_000, retained(writeHere) / 1_000_000);
      assertThat(TestRecords.count(topics.bootstrapServers(), topics.prefix())).isZero();
    }
  }

  private long retained(Statement statement) throws SQLException {
    return number(
        statement,
        "SELECT (pg_current_wal_lsn() - restart_lsn)::bigint FROM pg_replication_slots"
            + " WHERE slot_name = '"
            + TestRelay.slotName(database)
            + "'");
  }

  private static long position(Statement statement) throws SQLException {
    return number(statement, "SELECT (pg_current_wal_lsn() - '0/0')::bigint");
  }

  private static long number(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getLong(1);
    }
  }
}
