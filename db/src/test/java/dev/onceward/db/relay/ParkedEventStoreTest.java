package dev.onceward.db.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.db.WorkspaceContext;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class ParkedEventStoreTest {
  private static final ParkedEvent.Reason PENDING =
      new ParkedEvent.Reason(false, "OUTBOX_ENQUEUE_FAILED", "the topic is missing");
  private static final ParkedEvent.Reason DEAD =
      new ParkedEvent.Reason(true, "OUTBOX_PERMANENT_FAILURE", "too large");
  private static final Duration EXPIRED = Duration.ZERO;
  private static final Duration LEASE = Duration.ofSeconds(30);

  private final ParkedEventStore store = new ParkedEventStore();
  private final UUID workspace = UUID.randomUUID();
  private MigratedDatabase database;
  private Connection relay;

  @BeforeEach
  void prepare(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    relay = open("onceward_relay", workspace);
  }

  @AfterEach
  void drop() throws SQLException {
    relay.close();
    database.close();
  }

  @Test
  void events_are_claimed_in_the_order_of_parking_and_each_claim_counts() throws Exception {
    List<UUID> ids = park(PENDING, "k1", "k2", "k1", "k3");
    List<LeasedEvent> claimed = claim("one", EXPIRED, 3);

    assertThat(idsOf(claimed)).isEqualTo(ids.subList(0, 3));
    assertThat(claimed.get(0).attempt()).isEqualTo(1);
    assertThat(claimed.get(0).event().xid()).isEqualTo(7);
    assertThat(claimed.get(0).event().value()).isEqualTo(new byte[] {1, 2});
    assertThat(claim("two", EXPIRED, 1).get(0).attempt()).isEqualTo(2);
  }

  @Test
  void an_event_is_parked_once() throws Exception {
    ParkedEvent event = event("k");
    assertThat(store.insert(relay, List.of(event), PENDING)).containsExactly(true);
    assertThat(store.insert(relay, List.of(event), DEAD)).containsExactly(false);
    assertThat(idsOf(claim("one", LEASE, 10))).containsExactly(event.eventId());
  }

  @Test
  void a_stalled_holder_writes_nothing_back() throws Exception {
    UUID id = park(PENDING, "k").get(0);
    claim("stalled", EXPIRED, 1);
    commit();
    assertThat(idsOf(claim("next", LEASE, 1))).containsExactly(id);
    commit();

    ParkedEventStore.Failure failure =
        new ParkedEventStore.Failure(true, true, Duration.ZERO, "CODE", "why");
    assertThat(store.renew(relay, lease("stalled", LEASE), List.of(id))).isZero();
    assertThat(store.failed(relay, "stalled", id, failure)).isFalse();
    assertThat(store.delivered(relay, "stalled", List.of(id))).isZero();
    assertThat(store.renew(relay, lease("next", LEASE), List.of(id))).isEqualTo(1);
    assertThat(store.delivered(relay, "next", List.of(id))).isEqualTo(1);
  }

  @Test
  void a_lease_that_has_ended_is_not_renewed() throws Exception {
    UUID id = park(PENDING, "k").get(0);
    claim("one", EXPIRED, 1);
    commit();
    assertThat(store.renew(relay, lease("one", LEASE), List.of(id))).isZero();
  }

  @Test
  void nothing_overtakes_an_event_of_its_key_that_waits_or_is_leased() throws Exception {
    List<UUID> ids = park(PENDING, "waits", "leased", "waits", "leased", "free");
    idsOf(claim("other", LEASE, 2));
    store.failed(
        relay,
        "other",
        ids.get(0),
        new ParkedEventStore.Failure(false, true, Duration.ofMinutes(1), "CODE", "why"));
    commit();

    assertThat(idsOf(claim("one", LEASE, 10))).containsExactly(ids.get(4));
  }

  @Test
  void nothing_overtakes_an_event_of_its_key_that_another_transaction_has_locked()
      throws Exception {
    List<UUID> ids = park(PENDING, "k", "k", "free");
    try (Connection other = open("onceward_relay", workspace)) {
      assertThat(store.claim(other, lease("other", LEASE), workspace, "topic", 1)).hasSize(1);
      assertThat(idsOf(claim("one", LEASE, 10))).containsExactly(ids.get(2));
      other.rollback();
    }
  }

  @Test
  void an_attempt_that_does_not_count_is_given_back() throws Exception {
    UUID id = park(PENDING, "k").get(0);
    claim("one", LEASE, 1);
    assertThat(
            store.failed(
                relay,
                "one",
                id,
                new ParkedEventStore.Failure(false, false, Duration.ZERO, "CODE", "why")))
        .isTrue();
    commit();
    assertThat(claim("one", LEASE, 1).get(0).attempt()).isEqualTo(1);
  }

  @Test
  void an_operator_redrives_dead_letters_alone_and_they_hold_nothing_up() throws Exception {
    UUID dead = park(DEAD, "k").get(0);
    UUID pending = park(PENDING, "k").get(0);
    UUID replay = UUID.randomUUID();
    try (Connection ops = open("onceward_ops", workspace)) {
      assertThat(store.redrive(ops, List.of(dead, pending), replay)).isEqualTo(1);
      ops.commit();
      WorkspaceContext.set(ops, workspace);
      try (Statement discard = ops.createStatement()) {
        assertThat(discard.executeUpdate("UPDATE onceward.parked_events SET status = 'discarded'"))
            .isZero();
      }
    }
    try (Connection other = open("onceward_ops", UUID.randomUUID())) {
      assertThat(store.redrive(other, List.of(dead), replay)).isZero();
    }
    List<LeasedEvent> claimed = claim("one", LEASE, 1);
    assertThat(idsOf(claimed)).containsExactly(dead);
    assertThat(claimed.get(0).replayId()).isEqualTo(replay);
    commit();
    assertThat(idsOf(claim("two", LEASE, 1))).containsExactly(pending);
  }

  @Test
  void the_relay_writes_only_in_the_workspace_that_is_set_and_counts_in_all() throws Exception {
    park(PENDING, "k", "k");
    try (Connection other = open("onceward_relay", UUID.randomUUID())) {
      assertThat(store.claim(other, lease("x", LEASE), workspace, "topic", 10)).isEmpty();
      ParkedEventQueries queries = new ParkedEventQueries();
      assertThat(queries.due(other))
          .containsExactly(new ParkedEventQueries.Due("topic", workspace));
      assertThat(queries.pending(other).get(0).pending()).isEqualTo(2);
      assertThat(queries.known(other, Snapshot.parse("8:8:")))
          .hasSize(2)
          .allMatch(known -> known.pending() && known.holdsUp() && !known.unaudited());
      assertThat(queries.known(other, Snapshot.NOTHING)).allMatch(known -> known.unaudited());
      assertThatThrownBy(() -> store.insert(other, List.of(event("k")), PENDING))
          .isInstanceOf(SQLException.class);
    }
  }

  @Test
  void claimers_that_race_never_hold_the_same_event() throws Exception {
    park(PENDING, "a", "b", "c", "d", "e", "f", "g", "h");
    Set<UUID> seen = new ConcurrentSkipListSet<>();
    CyclicBarrier start = new CyclicBarrier(4);
    ExecutorService claimers = Executors.newFixedThreadPool(4);
    try {
      List<Future<Integer>> counts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        String owner = "claimer " + i;
        counts.add(
            claimers.submit(
                () -> {
                  int count = 0;
                  try (Connection own = open("onceward_relay", workspace)) {
                    start.await();
                    for (int round = 0; round < 8; round++) {
                      WorkspaceContext.set(own, workspace);
                      for (LeasedEvent one :
                          store.claim(own, lease(owner, LEASE), workspace, "topic", 2)) {
                        assertThat(seen.add(one.event().eventId())).isTrue();
                        count++;
                      }
                      own.commit();
                    }
                  }
                  return count;
                }));
      }
      int all = 0;
      for (Future<Integer> count : counts) {
        all += count.get();
      }
      assertThat(all).isEqualTo(8);
    } finally {
      claimers.shutdownNow();
    }
  }

  private List<UUID> park(ParkedEvent.Reason reason, String... keys) throws SQLException {
    List<ParkedEvent> events = new ArrayList<>();
    for (String key : keys) {
      events.add(event(key));
    }
    store.insert(relay, events, reason);
    commit();
    return events.stream().map(ParkedEvent::eventId).toList();
  }

  private ParkedEvent event(String key) {
    return new ParkedEvent(
        UUID.randomUUID(), workspace, 7, "topic", key, new byte[0], new byte[] {1, 2}, "[]");
  }

  private List<LeasedEvent> claim(String owner, Duration length, int limit) throws SQLException {
    commit(); // So that now() is now.
    List<LeasedEvent> claimed = store.claim(relay, lease(owner, length), workspace, "topic", limit);
    commit();
    return claimed;
  }

  private static ParkedEventStore.Lease lease(String owner, Duration length) {
    return new ParkedEventStore.Lease(owner, length);
  }

  private static List<UUID> idsOf(List<LeasedEvent> claimed) {
    return claimed.stream().map(one -> one.event().eventId()).toList();
  }

  private Connection open(String role, UUID inWorkspace) throws SQLException {
    Connection connection = database.connect(role);
    connection.setAutoCommit(false);
    WorkspaceContext.set(connection, inWorkspace);
    return connection;
  }

  private void commit() throws SQLException {
    relay.commit();
    WorkspaceContext.set(relay, workspace);
  }
}
