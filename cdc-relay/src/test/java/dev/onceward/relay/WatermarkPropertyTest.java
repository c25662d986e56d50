package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Savepoint;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Random transactions side by side: no event is shown as dispatched that Kafka lacks. */
@ExtendWith(InfrastructureExtension.class)
class WatermarkPropertyTest {
  private static final Logger LOG = LoggerFactory.getLogger(WatermarkPropertyTest.class);
  private static final int WRITERS = 6;
  private static final Duration LENGTH = Duration.ofSeconds(12);

  private final Set<UUID> committed = new ConcurrentSkipListSet<>();
  private MigratedDatabase database;
  private TestOutbox outbox;
  private TestTopics topics;

  @BeforeEach
  void prepare(PostgresServer postgres, TestTopics topics) throws SQLException {
    this.topics = topics;
    database = MigratedDatabase.create(postgres);
    outbox = new TestOutbox(database);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  @Tag("S16")
  @Tag("S21")
  void dispatched_means_in_kafka_whatever_runs_side_by_side() throws Exception {
    ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
    long seed = System.nanoTime();
    LOG.info("Seed {}", seed);
    try (TestRelay relay =
            TestRelay.start(
                    TestRelay.settings(database, topics.bootstrapServers(), topics.prefix()))
                .awaitUp();
        Connection open = outbox.begin()) {
      NewEvent late = TestOutbox.event("late", "1");
      OutboxWriter.append(open, late);
      long end = System.nanoTime() + LENGTH.toNanos();
      List<Future<?>> writing = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Random random = new Random(seed + i);
        writing.add(writers.submit(() -> write(random, end)));
      }
      int checks = 0;
      while (System.nanoTime() < end) {
        Set<UUID> shown = dispatched();
        assertThat(kafka()).as("seed %d", seed).containsAll(shown);
        checks++;
      }
      for (Future<?> writer : writing) {
        writer.get(30, TimeUnit.SECONDS);
      }
      // All that is committed is soon shown, although one transaction is open throughout.
      await()
          .atMost(Duration.ofSeconds(15))
          .untilAsserted(() -> assertThat(dispatched()).isEqualTo(committed));
      assertThat(kafka()).as("no phantom").isEqualTo(committed);
      open.commit();
      committed.add(late.id());
      await()
          .atMost(Duration.ofSeconds(15))
          .untilAsserted(() -> assertThat(dispatched()).isEqualTo(committed));
      assertThat(checks).isGreaterThan(5);
      assertThat(committed).hasSizeGreaterThan(200);
      assertThat(relay.count("onceward.audit.missing")).isZero();
      assertThat(relay.count("onceward.audit.unseen")).isZero();
    } finally {
      writers.shutdownNow();
    }
  }

  private Void write(Random random, long end) throws Exception {
    while (System.nanoTime() < end) {
      try (Connection connection = outbox.begin()) {
        Set<UUID> written = new TreeSet<>();
        for (int step = 1 + random.nextInt(5); step > 0; step--) {
          append(connection, random, written);
          Savepoint savepoint = connection.setSavepoint();
          Set<UUID> within = new TreeSet<>();
          append(connection, random, within);
          if (random.nextBoolean()) {
            connection.rollback(savepoint);
          } else {
            connection.releaseSavepoint(savepoint);
            written.addAll(within);
          }
          if (random.nextInt(20) == 0) {
            pause(connection, random.nextInt(1500));
          }
        }
        if (random.nextInt(4) == 0) {
          connection.rollback();
        } else {
          connection.commit();
          committed.addAll(written);
        }
      }
    }
    return null;
  }

  private static void append(Connection connection, Random random, Set<UUID> written)
      throws SQLException {
    NewEvent event = TestOutbox.event("a" + random.nextInt(5), "{}");
    OutboxWriter.append(connection, event);
    written.add(event.id());
  }

  /** Stays open for a while, by the server's own clock. */
  private static void pause(Connection connection, int millis) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT pg_sleep(" + millis / 1000.0 + ")");
    }
  }

  private Set<UUID> dispatched() throws SQLException {
    Set<UUID> ids = new TreeSet<>();
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT event_id FROM onceward.outbox_event_status WHERE status = 'dispatched'")) {
      while (row.next()) {
        ids.add(row.getObject(1, UUID.class));
      }
    }
    return ids;
  }

  private Set<UUID> kafka() {
    return TestRecords.ids(TestRecords.read(topics.bootstrapServers(), topics.prefix()));
  }
}
