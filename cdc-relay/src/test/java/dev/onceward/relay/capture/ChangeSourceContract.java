package dev.onceward.relay.capture;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.UuidV7;
import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.outbox.OutboxWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.event.RawJson;
import dev.onceward.event.route.OutboxRow;
import dev.onceward.process.Secret;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What every source promises to the relay, tried on a handler that the test holds and lets go. */
@ExtendWith(InfrastructureExtension.class)
abstract class ChangeSourceContract {
  private static final UUID WORKSPACE = UUID.randomUUID();

  /** So few that a source's own queue is full while the handler waits. */
  private static final int BATCH_EVENTS = 4;

  private static final Duration WAL_SENDER_TIMEOUT = Duration.ofSeconds(3);

  private final CaptureKind kind;

  private final BlockingQueue<ChangeBatch> handed = new LinkedBlockingQueue<>();
  private final Semaphore permits = new Semaphore(0);
  private final AtomicReference<CaptureException> failure = new AtomicReference<>();
  private MigratedDatabase database;
  private String slot;
  private List<CapturedEvent> inHand = List.of();
  private ChangeSource source;
  private Thread running;

  ChangeSourceContract(CaptureKind kind) {
    this.kind = kind;
  }

  @BeforeEach
  void start(PostgresServer postgres) throws SQLException {
    database = MigratedDatabase.create(postgres);
    slot = "contract_" + database.name();
    // A source that fell silent while its handler waits would be taken for dead.
    sql(
        "ALTER ROLE onceward_relay IN DATABASE "
            + database.name()
            + " SET wal_sender_timeout = "
            + WAL_SENDER_TIMEOUT.toMillis());
    sql("SELECT pg_create_logical_replication_slot('" + slot + "', 'pgoutput')");
    source = newSource();
    running = run(source);
  }

  @AfterEach
  void drop() throws Exception {
    end();
    await()
        .atMost(Duration.ofSeconds(15))
        .until(() -> position("SELECT count(*) FROM pg_stat_replication" + ofSlot()) == 0);
    sql("SELECT pg_drop_replication_slot('" + slot + "')");
    database.close();
  }

  private void end() throws InterruptedException {
    source.close(Duration.ZERO);
    running.join(15_000);
    assertThat(running.isAlive()).isFalse();
  }

  private ChangeSource newSource() {
    return kind.source(
        new CaptureSettings(
            database.url(),
            "onceward_relay",
            new Secret(MigratedDatabase.PASSWORD),
            slot,
            "onceward_outbox",
            "onceward.outbox_events",
            Duration.ofMillis(10),
            BATCH_EVENTS));
  }

  private Thread run(ChangeSource started) {
    Thread thread =
        new Thread(
            () -> {
              try {
                started.run(
                    batch -> {
                      handed.add(batch);
                      permits.acquire();
                    });
              } catch (CaptureException e) {
                failure.set(e);
              }
            });
    thread.start();
    return thread;
  }

  /** Whatever keepalives and messages say meanwhile. */
  @Test
  void nothing_is_confirmed_that_the_handler_has_not_returned_from() throws Exception {
    append("first");
    take(1);
    Map<UUID, Long> beforeCommit = new HashMap<>();
    UUID lateId;
    // One that writes first and commits last, and a message in between.
    try (Connection late = begin()) {
      lateId = append(late, "late");
      for (int i = 0; i < 20; i++) {
        long before = logEnd();
        beforeCommit.put(append("early"), before);
      }
      sql("SELECT pg_logical_emit_message(false, 'onceward', 'between')");
      beforeCommit.put(lateId, logEnd());
      late.commit();
    }
    long before = logEnd();
    beforeCommit.put(append("last"), before);
    long end = position("SELECT pg_current_wal_lsn() - '0/0'");
    await()
        .atMost(Duration.ofSeconds(20))
        .until(
            () ->
                position("SELECT max(sent_lsn) - '0/0' FROM pg_stat_replication" + ofSlot())
                    >= end);
    permits.release();

    // The last batch stays in the handler's hands.
    List<CapturedEvent> all = take(22);
    assertThat(all.get(20).row().id()).as("in the order of commits").isEqualTo(lateId);
    long bound =
        inHand.stream()
            .mapToLong(event -> requireNonNull(beforeCommit.get(event.row().id())))
            .min()
            .orElseThrow();
    await()
        .during(Duration.ofSeconds(4))
        .atMost(Duration.ofSeconds(15))
        .until(() -> confirmed() <= bound);

    // It was not returned from: it comes again.
    List<UUID> unconfirmed = ids(inHand);
    end();
    handed.clear();
    source = newSource();
    running = run(source);
    // Earlier ones may come before it, for the slot stands a transaction behind.
    List<UUID> again = new ArrayList<>();
    while (!again.containsAll(unconfirmed)) {
      again.addAll(ids(take(1)));
      permits.release();
    }
    assertThat(again).endsWith(unconfirmed.toArray(UUID[]::new));
    permits.release(1000);
  }

  @Test
  void messages_come_behind_what_was_committed_before_them_and_transactional_ones_never()
      throws Exception {
    permits.release(1000);
    List<String> expected = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      append("a");
      try (Connection connection = begin()) {
        append(connection, "b");
        emit(connection, true, "transactional " + i);
        connection.commit();
      }
      sql("SELECT pg_logical_emit_message(false, 'another', 'foreign')");
      sql("SELECT pg_logical_emit_message(false, 'onceward', 'ours " + i + "')");
      expected.add("ours " + i + " after " + 2 * (i + 1));
    }
    List<String> seen = new ArrayList<>();
    int events = 0;
    while (seen.size() < 10) {
      ChangeBatch batch = handed.poll(20, TimeUnit.SECONDS);
      assertThat(batch).isNotNull();
      events += batch.events().size();
      for (LogicalMessage message : batch.messages()) {
        // Counted at the batch's end: at least those before it have come.
        long before = batch.events().stream().filter(event -> event.lsn() >= message.lsn()).count();
        seen.add(message.content() + " after " + (events - before));
      }
    }
    assertThat(seen).isEqualTo(expected);
  }

  @Test
  void an_event_is_its_row_and_its_transaction() throws Exception {
    NewEvent full =
        new NewEvent(
            UuidV7.next(),
            "order.placed",
            3,
            "order",
            "a\u00fc\ud83d\ude80",
            "invoice",
            "i-1",
            "key",
            "request",
            "correlation",
            "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
            "{ \"b\" : 1.0, \"a\":\"\u00e9\ud83d\ude80\\u0041\"}");
    NewEvent sparse = NewEvent.of("order.placed", "order", "b", "null");
    long xid;
    try (Connection connection = begin()) {
      OutboxWriter.append(connection, full);
      OutboxWriter.append(connection, sparse);
      xid = number(connection, "SELECT pg_current_xact_id()::text::bigint & 4294967295");
      connection.commit();
    }

    permits.release(2);
    List<CapturedEvent> events = take(2);

    assertThat(events).extracting(CapturedEvent::row).containsExactly(row(full), row(sparse));
    assertThat(events).extracting(CapturedEvent::xid).containsExactly(xid, xid);
    assertThat(events.get(0).lsn()).isLessThan(events.get(1).lsn());
    assertThat(events)
        .extracting(CapturedEvent::committedAt)
        .allSatisfy(at -> assertThat(at).isCloseTo(Instant.now(), within(1, ChronoUnit.MINUTES)));
    permits.release(1000);
  }

  @Test
  void a_lost_connection_ends_the_source_and_the_next_one_goes_on() throws Exception {
    append("a");
    take(1);
    permits.release();
    sql("SELECT pg_terminate_backend(" + walsender() + ")");
    running.join(15_000);
    assertThat(failure.get())
        .isInstanceOf(CaptureException.class)
        .hasRootCauseInstanceOf(Exception.class);

    UUID missed = append("b");
    source = newSource();
    running = run(source);
    permits.release(1000);
    List<UUID> seen = new ArrayList<>();
    while (!seen.contains(missed)) {
      seen.addAll(ids(take(1)));
    }
  }

  @Test
  @Tag("S20")
  void the_connection_is_kept_while_the_handler_waits_and_no_queue_has_room() throws Exception {
    append("first");
    take(1);
    long walsender = walsender();
    try (Connection connection = begin()) {
      for (int i = 0; i < 10 * BATCH_EVENTS; i++) {
        append(connection, "later");
      }
      connection.commit();
    }

    await()
        .during(WAL_SENDER_TIMEOUT.multipliedBy(3).dividedBy(2))
        .atMost(Duration.ofSeconds(15))
        .until(() -> walsender() == walsender);
    permits.release();
    assertThat(take(10 * BATCH_EVENTS)).hasSize(10 * BATCH_EVENTS);
    permits.release(1000);
  }

  @Test
  void closing_lets_the_batch_in_hand_finish_within_the_patience() throws Exception {
    append("a");
    take(1);
    source.close(Duration.ofSeconds(10));
    running.join(500);
    assertThat(running.isAlive()).as("the batch is still in hand").isTrue();
    permits.release();
    running.join(15_000);
    assertThat(running.isAlive()).isFalse();
  }

  /** Batches until so many events have come; the last one stays in the handler's hands. */
  private List<CapturedEvent> take(int events) throws InterruptedException {
    List<CapturedEvent> taken = new ArrayList<>();
    while (true) {
      ChangeBatch batch = handed.poll(20, TimeUnit.SECONDS);
      assertThat(batch).as("after %d events", taken.size()).isNotNull();
      taken.addAll(batch.events());
      inHand = batch.events();
      if (taken.size() >= events) {
        return taken;
      }
      permits.release();
    }
  }

  private Connection begin() throws SQLException {
    Connection connection = database.connect("onceward_app");
    connection.setAutoCommit(false);
    WorkspaceContext.set(connection, WORKSPACE);
    return connection;
  }

  private UUID append(String aggregateId) throws SQLException {
    try (Connection connection = begin()) {
      UUID id = append(connection, aggregateId);
      connection.commit();
      return id;
    }
  }

  private static UUID append(Connection connection, String aggregateId) throws SQLException {
    NewEvent event = NewEvent.of("order.placed", "order", aggregateId, "{}");
    OutboxWriter.append(connection, event);
    return event.id();
  }

  private static void emit(Connection connection, boolean transactional, String content)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(
          "SELECT pg_logical_emit_message(" + transactional + ", 'onceward', '" + content + "')");
    }
  }

  private static List<UUID> ids(List<CapturedEvent> events) {
    return events.stream().map(event -> event.row().id()).toList();
  }

  private String ofSlot() {
    return " WHERE pid = (SELECT active_pid FROM pg_replication_slots WHERE slot_name = '"
        + slot
        + "')";
  }

  private long walsender() throws SQLException {
    return position("SELECT pid FROM pg_stat_replication" + ofSlot());
  }

  private long logEnd() throws SQLException {
    return position("SELECT pg_current_wal_insert_lsn() - '0/0'");
  }

  private long confirmed() throws SQLException {
    return position(
        "SELECT confirmed_flush_lsn - '0/0' FROM pg_replication_slots WHERE slot_name = '"
            + slot
            + "'");
  }

  private long position(String query) throws SQLException {
    try (Connection superuser = database.superuser()) {
      return number(superuser, query);
    }
  }

  private static long number(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(query)) {
      row.next();
      return row.getLong(1);
    }
  }

  private static OutboxRow row(NewEvent event) {
    return new OutboxRow(
        event.id(),
        WORKSPACE,
        event.eventType(),
        event.payloadVersion(),
        event.aggregateType(),
        event.aggregateId(),
        event.resourceType(),
        event.resourceId(),
        event.businessKey(),
        event.requestId(),
        event.correlationId(),
        event.traceparent(),
        RawJson.of(event.payload()));
  }

  private void sql(String sql) throws SQLException {
    try (Connection superuser = database.superuser();
        Statement statement = superuser.createStatement()) {
      statement.execute(sql);
    }
  }
}
