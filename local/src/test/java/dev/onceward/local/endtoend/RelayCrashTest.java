package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.topic.SeenRecord;
import dev.onceward.local.topic.TopicWatch;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ClusterExtension.class)
final class RelayCrashTest {

  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final int ROUNDS = 20;

  private final String name = "crash-" + UUID.randomUUID() + "-";
  private LocalCluster cluster;
  private ApiClient client;
  private PipelineRows rows;

  @BeforeEach
  void connect(LocalCluster shared) {
    cluster = shared;
    client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), LIMIT);
    rows = new PipelineRows(cluster, name);
  }

  @Test
  void what_was_committed_while_the_relay_was_dead_is_delivered_after_its_restart()
      throws Exception {
    cluster.relay().kill();
    for (int i = 0; i < 20; i++) {
      ApiAnswer answer = client.createStore(name + i, name + i);
      assertThat(answer.status()).as("%s", answer.text()).isEqualTo(202);
    }
    assertThat(rows.unfinished()).hasSize(20);

    cluster.relay().start();

    await().atMost(LIMIT).until(() -> rows.unfinished().isEmpty());
    assertThat(rows.operations()).hasSize(20);
    EffectAudit audit = new EffectAudit(cluster.platform().ledger());
    audit.eachHasOneCall(rows.operations());
    audit.eachHasOneEffect(rows.operations());
  }

  @Test
  void nothing_is_lost_when_the_relay_is_killed_again_and_again_under_load() throws Exception {
    List<KeyedRequest> requests;
    try (SteadyLoad load = new SteadyLoad(cluster, name, 50)) {
      for (int sent = 100; sent <= 400; sent += 100) {
        load.awaitSent(sent);
        cluster.relay().kill();
        cluster.relay().start();
      }
      requests = load.finish(LIMIT);
    }
    await().atMost(LIMIT).until(() -> rows.unfinished().isEmpty());

    assertThat(rows.operations()).hasSameSizeAs(requests);
    EffectAudit audit = new EffectAudit(cluster.platform().ledger());
    audit.eachHasOneCall(rows.operations());
    audit.eachHasOneEffect(rows.operations());
  }

  @Test
  void an_event_that_was_sent_but_not_confirmed_when_the_relay_died_has_no_second_effect()
      throws Exception {
    int unconfirmed = 0;
    for (int round = 0; round < ROUNDS && unconfirmed == 0; round++) {
      String position = currentWalPosition();
      try (TopicWatch topic = new TopicWatch(cluster.bootstrapServers(), cluster.topic("store"))) {
        String key = name + round;
        client.createStore(key, key);
        String eventId = rows.eventIds().get(round);
        await()
            .pollInterval(Duration.ofMillis(1))
            .atMost(LIMIT)
            .until(() -> topic.soFar().stream().map(SeenRecord::key).anyMatch(eventId::equals));
        cluster.relay().kill();
        if (!slotHasPassed(position)) {
          unconfirmed++;
        }
      }
      cluster.relay().start();
      cluster.relay().awaitReady(LIMIT);
    }
    assertThat(unconfirmed).as("rounds in which the slot was not confirmed yet").isPositive();

    // One more event behind it: when that one is done, whatever was sent again has been seen.
    client.createStore(name + "last", name + "last");
    await().atMost(LIMIT).until(() -> rows.unfinished().isEmpty());

    List<OperationRow> operations = rows.operations();
    EffectAudit audit = new EffectAudit(cluster.platform().ledger());
    audit.eachHasOneCall(operations);
    audit.eachHasOneEffect(operations);
  }

  private String currentWalPosition() throws SQLException {
    return ask("SELECT pg_current_wal_insert_lsn()::text");
  }

  /** Whether the slot is confirmed beyond a position. */
  private boolean slotHasPassed(String position) throws SQLException {
    return ask("SELECT (confirmed_flush_lsn > '"
            + position
            + "'::pg_lsn)::text FROM pg_replication_slots WHERE slot_name = 'onceward'")
        .equals("true");
  }

  private String ask(String sql) throws SQLException {
    try (Connection connection = cluster.connectAsOps();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      assertThat(row.next()).as("%s has a row", sql).isTrue();
      return row.getString(1);
    }
  }
}
