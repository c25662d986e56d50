package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.LongFault;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What one workspace or one topic costs the others, in numbers. */
@LongFault
@ExtendWith(InfrastructureExtension.class)
class NeighbourTest {
  private static final Logger LOG = LoggerFactory.getLogger(NeighbourTest.class);
  private static final Duration MEASURED = Duration.ofSeconds(60);
  private static final Duration PACE = Duration.ofMillis(50);
  private static final int MILLION = 1_000_000;

  /** Below this twice as long is the noise of a busy machine. */
  private static final Duration NOISE = Duration.ofMillis(50);

  private static KafkaBroker kafka;
  private static Admin admin;

  private MigratedDatabase database;
  private Map<String, String> settings;
  private String prefix;

  @BeforeAll
  static void startBroker() {
    kafka =
        KafkaBroker.start(
            KafkaOptions.temporary()
                .withSetting(
                    "authorizer.class.name",
                    "org.apache.kafka.metadata.authorizer.StandardAuthorizer")
                .withSetting("allow.everyone.if.no.acl.found", "true"));
    admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  @AfterAll
  static void stopBroker() {
    admin.close(Duration.ZERO);
    kafka.close();
  }

  @BeforeEach
  void prepare(PostgresServer postgres) throws Exception {
    database = MigratedDatabase.create(postgres);
    prefix = "t" + UUID.randomUUID().toString().substring(0, 8) + ".";
    settings = TestRelay.settings(database, kafka.bootstrapServers(), prefix);
    settings.put("onceward.relay.create-topics", "false");
    createTopic("order");
    createTopic("invoice");
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  @Tag("S29")
  void a_missing_topic_leaves_the_others_as_fast_as_they_were() throws Exception {
    compare("refund", () -> null, () -> createTopic("refund"));
  }

  @Test
  @Tag("S29")
  void a_topic_that_may_not_be_written_leaves_the_others_as_fast_as_they_were() throws Exception {
    List<AclBinding> forbidden =
        List.of(
            acl(AclOperation.WRITE, AclPermissionType.DENY),
            acl(AclOperation.READ, AclPermissionType.ALLOW),
            acl(AclOperation.DESCRIBE, AclPermissionType.ALLOW));
    compare(
        "order",
        () -> admin.createAcls(forbidden).all().get(),
        () -> admin.deleteAcls(forbidden.stream().map(AclBinding::toFilter).toList()).all().get());
  }

  /** The same load throughout: first all of it can go, then that of one topic cannot. */
  private void compare(String troubled, Callable<?> trouble, Callable<?> repair) throws Exception {
    try (TestRelay relay = TestRelay.start(settings).awaitUp()) {
      var warmUp = measureBeside("order", Duration.ofSeconds(20));
      TestLatencies.Taken usual = measureBeside("order", MEASURED);
      trouble.call();
      TestLatencies.Taken meanwhile = measureBeside(troubled, MEASURED);
      LOG.info(
          "warming up: {}; usual: {}; while one topic is in trouble: {}", warmUp, usual, meanwhile);
      relay.awaitDown("parked: events of topic " + prefix + troubled);
      assertThat(relay.count("onceward.parked.events")).isGreaterThan(1_000);
      assertThat(relay.count("onceward.parked.delivered")).isZero();

      repair.call();
      long repairedNanos = System.nanoTime();
      new TestParked(database, kafka.bootstrapServers(), prefix).awaitAllDispatched();
      LOG.info(
          "{} parked events were delivered within {} s of the repair",
          relay.count("onceward.parked.events"),
          Duration.ofNanos(System.nanoTime() - repairedNanos).toSeconds());
      relay.awaitUp();
      assertThat(relay.count("onceward.audit.missing")).isZero();
      Duration allowed = usual.percentile(99).multipliedBy(2);
      assertThat(meanwhile.percentile(99))
          .isLessThanOrEqualTo(allowed.compareTo(NOISE) > 0 ? allowed : NOISE);
    }
  }

  private TestLatencies.Taken measureBeside(String aggregateType, Duration length)
      throws Exception {
    try (Load load = new Load(aggregateType);
        TestLatencies latencies =
            TestLatencies.start(database, kafka.bootstrapServers(), prefix, PACE)) {
      int beats = Math.toIntExact(length.dividedBy(PACE));
      await().atMost(length.multipliedBy(4)).until(() -> latencies.arrived() >= beats);
      TestLatencies.Taken taken = latencies.finish(Duration.ofSeconds(30));
      load.stop();
      return taken;
    }
  }

  @Test
  @Tag("S17")
  void a_million_events_in_one_transaction_delay_another_workspace_by_their_decoding()
      throws Exception {
    delayBy(MILLION, MILLION, Duration.ofMinutes(2));
  }

  @Test
  void a_million_events_in_transactions_of_a_thousand_delay_another_workspace_by_the_backlog()
      throws Exception {
    delayBy(MILLION, 1_000, Duration.ofMinutes(2));
  }

  private void delayBy(int events, int perTransaction, Duration atMost) throws Exception {
    TestOutbox noisy = new TestOutbox(database);
    try (TestRelay relay = TestRelay.start(settings).awaitUp();
        TestLatencies latencies =
            TestLatencies.start(
                database, kafka.bootstrapServers(), prefix, Duration.ofMillis(200))) {
      long begunNanos = System.nanoTime();
      try (Connection connection = noisy.begin();
          Statement statement = connection.createStatement()) {
        for (int written = 0; written < events; written += perTransaction) {
          statement.execute(
              "SELECT set_config('app.workspace_id', '" + noisy.workspaceId() + "', true)");
          statement.execute(
              """
              SELECT count(onceward.outbox_append('order.placed', 'order', (n % 1000)::text,
                json_build_object('n', n, 'text', repeat('x', 200))))
              FROM generate_series(1, :events) AS n
              """
                  .replace(":events", Integer.toString(perTransaction)));
          connection.commit();
        }
      }
      Duration writing = Duration.ofNanos(System.nanoTime() - begunNanos);
      await()
          .atMost(Duration.ofMinutes(5))
          .pollInterval(Duration.ofSeconds(1))
          .until(() -> TestRecords.count(kafka.bootstrapServers(), prefix) >= events);
      Duration all = Duration.ofNanos(System.nanoTime() - begunNanos);
      TestLatencies.Taken taken = latencies.finish(Duration.ofMinutes(3));
      LOG.info(
          "{} events, {} per transaction, written in {} s and in Kafka after {} s; another"
              + " workspace's meanwhile: {}",
          events,
          perTransaction,
          writing.toSeconds(),
          all.toSeconds(),
          taken);
      new TestParked(database, kafka.bootstrapServers(), prefix).awaitAllDispatched();
      assertThat(relay.count("onceward.audit.missing")).isZero();
      assertThat(relay.counter("onceward.relay.engine.restarts")).isZero();
      assertThat(taken.longest()).isLessThan(atMost);
    }
  }

  private Void createTopic(String aggregateType) throws Exception {
    admin.createTopics(List.of(new NewTopic(prefix + aggregateType, 6, (short) 1))).all().get();
    return null;
  }

  private AclBinding acl(AclOperation operation, AclPermissionType permission) {
    return new AclBinding(
        new ResourcePattern(ResourceType.TOPIC, prefix + "order", PatternType.LITERAL),
        new AccessControlEntry("User:*", "*", operation, permission));
  }

  /** About a hundred events a second for one topic. */
  private final class Load implements AutoCloseable {
    private final TestOutbox outbox = new TestOutbox(database);
    private final Connection connection;
    private final ScheduledExecutorService writer = Executors.newSingleThreadScheduledExecutor();
    private final ScheduledFuture<?> writing;
    private int written;

    Load(String aggregateType) throws SQLException {
      connection = outbox.begin();
      writing =
          writer.scheduleAtFixedRate(
              () -> write(aggregateType), 0, PACE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void write(String aggregateType) {
      try {
        for (int i = 0; i < 5; i++) {
          outbox.append(
              connection,
              List.of(NewEvent.of("order.placed", aggregateType, "a" + written++ % 40, "1")));
        }
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Ends the writing. */
    void stop() throws InterruptedException {
      assertThat(writing.isDone()).as("the writer has failed").isFalse();
      writer.shutdown();
      assertThat(writer.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    }

    @Override
    public void close() throws SQLException {
      writer.shutdownNow();
      connection.close();
    }
  }
}
