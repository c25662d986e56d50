package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.relay.capture.CaptureException;
import dev.onceward.relay.capture.ChangeHandler;
import dev.onceward.relay.capture.ChangeSource;
import dev.onceward.relay.capture.DebeziumChangeSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What becomes of sources that fail, and of one that does not end. */
@ExtendWith(InfrastructureExtension.class)
class SupervisionTest {
  private MigratedDatabase database;
  private TestTopics topics;
  private Map<String, String> settings;

  @BeforeEach
  void prepare(PostgresServer postgres, TestTopics topics) throws SQLException {
    this.topics = topics;
    database = MigratedDatabase.create(postgres);
    settings = TestRelay.settings(database, topics.bootstrapServers(), topics.prefix());
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void a_source_that_fails_is_replaced_until_one_works() throws Exception {
    AtomicInteger built = new AtomicInteger();
    try (TestRelay relay =
        TestRelay.start(
            settings,
            capture ->
                switch (built.getAndIncrement()) {
                  case 0 -> new FailingSource(new CaptureException("broken", null));
                  case 1 -> new FailingSource(new IllegalStateException("a defect"));
                  default -> new DebeziumChangeSource(capture);
                })) {
      relay.awaitUp();
      UUID event = new TestOutbox(database).append("a", "1");
      await()
          .atMost(Duration.ofSeconds(20))
          .until(
              () ->
                  TestRecords.ids(TestRecords.read(topics.bootstrapServers(), topics.prefix()))
                      .contains(event));
      assertThat(relay.counter("onceward.relay.engine.restarts")).isEqualTo(2);
    }
  }

  @Test
  void an_error_of_the_jvm_ends_the_relay() {
    try (TestRelay relay =
        TestRelay.start(
            settings, capture -> new FailingSource(new OutOfMemoryError("no heap left")))) {
      assertThat(relay.awaitFatal()).hasRootCauseInstanceOf(OutOfMemoryError.class);
    }
  }

  /** Its slot stays active and its successor would wait in vain: the process must end. */
  @Test
  void a_source_that_does_not_end_when_it_is_closed_ends_the_relay() throws Exception {
    StuckSource stuck = new StuckSource();
    try (TestRelay relay = TestRelay.start(settings, capture -> stuck)) {
      stuck.running.await();
      try (Connection superuser = database.superuser();
          Statement statement = superuser.createStatement()) {
        statement.execute("DROP PUBLICATION onceward_outbox");
      }
      assertThat(relay.awaitFatal()).hasMessageContaining("did not end");
      assertThat(stuck.closed.getCount()).isZero();
    } finally {
      stuck.release.countDown();
    }
  }

  private record FailingSource(Throwable failure) implements ChangeSource {
    @Override
    public void run(ChangeHandler handler) throws CaptureException {
      if (failure instanceof CaptureException capture) {
        throw capture;
      }
      if (failure instanceof Error error) {
        throw error;
      }
      throw (RuntimeException) failure;
    }

    @Override
    public void close(Duration patience) {}
  }

  private static final class StuckSource implements ChangeSource {
    private final AtomicInteger ignoredInterrupts = new AtomicInteger();
    private final CountDownLatch running = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch release = new CountDownLatch(1);

    @Override
    public void run(ChangeHandler handler) {
      running.countDown();
      boolean released = false;
      while (!released) {
        try {
          release.await();
          released = true;
        } catch (InterruptedException e) {
          ignoredInterrupts.incrementAndGet();
        }
      }
    }

    @Override
    public void close(Duration patience) {
      closed.countDown();
    }
  }
}
