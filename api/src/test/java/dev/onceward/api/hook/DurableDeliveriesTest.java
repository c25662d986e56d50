package dev.onceward.api.hook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** S54: no delivery is acknowledged before it is durable, though PostgreSQL stops under it. */
@Tag("S54")
class DurableDeliveriesTest {
  private static final Duration LIMIT = Duration.ofSeconds(90);
  private static final int SENDERS = 6;
  private static final int ENOUGH = 40;
  private static final String REVIEW = "{\"data\":{\"listing_id\":\"l-1\",\"title\":\"A lamp\"}}";

  private final Map<String, String> accepted = new ConcurrentHashMap<>();
  private final Queue<String> uncertain = new ConcurrentLinkedQueue<>();
  private final Queue<String> undocumented = new ConcurrentLinkedQueue<>();
  private final AtomicInteger refused = new AtomicInteger();
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  void what_was_answered_2xx_is_kept_and_executed_once_though_postgresql_stops_in_the_middle()
      throws Exception {
    try (PostgresServer server = PostgresServer.start(PostgresOptions.temporary());
        MigratedDatabase database = MigratedDatabase.create(server);
        TestApi api = TestApi.start(database, Map.of("onceward.api.pool-timeout", "1s"))) {
      TestSender sender = sender(api);
      ExecutorService threads = Executors.newFixedThreadPool(SENDERS);
      List<Future<?>> senders = new ArrayList<>();
      try {
        for (int i = 0; i < SENDERS; i++) {
          String prefix = "d-" + i + "-";
          senders.add(threads.submit(() -> deliverOn(sender, prefix)));
        }
        awaitMore();
        server.stop(ShutdownMode.FAST);
        startAgain(server);
        server.stop(ShutdownMode.IMMEDIATE);
        startAgain(server);
        server.kill();
        startAgain(server);
      } finally {
        over.set(true);
        threads.shutdown();
        assertThat(threads.awaitTermination(LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      }
      for (Future<?> each : senders) {
        each.get();
      }

      assertThat(undocumented).isEmpty();
      assertThat(refused.get()).as("deliveries that the outages refused").isPositive();
      assertThat(durable(database)).containsAllEntriesOf(accepted);
      // What the API could not give back is taken over once it is stale, and done once.
      api.sql(
          "UPDATE onceward.hook_receipts SET received_at = received_at - interval '610 s'"
              + " WHERE status = 'processing'");
      for (String id : uncertain) {
        accepted.put(id, runOf(sender.deliver(id, REVIEW).expect(202)));
      }
      assertThat(durable(database)).isEqualTo(new TreeMap<>(accepted));
      assertThat(api.text("SELECT count(*) FROM onceward.runs"))
          .isEqualTo(String.valueOf(accepted.size()));
      for (String id : accepted.keySet().stream().limit(20).toList()) {
        JsonNode again = sender.deliver(id, REVIEW).expect(202).json();
        assertThat(again.get("run_id").asText()).isEqualTo(accepted.get(id));
        assertThat(again.get("duplicate").asBoolean()).isTrue();
      }
    }
  }

  /** An honest sender: repeats what was refused, goes on with the next once it was accepted. */
  private void deliverOn(TestSender sender, String prefix) {
    for (int number = 0; !over.get(); number++) {
      String id = prefix + number;
      boolean open = true;
      while (open) {
        Reply reply = sender.deliver(id, REVIEW);
        open = false;
        if (reply.status() == 202) {
          accepted.put(id, runOf(reply));
        } else if (reply.status() == 503 && reply.header("Retry-After") != null) {
          refused.incrementAndGet();
          open = !over.get();
          if (!open) {
            uncertain.add(id);
          }
        } else if (reply.status() == 409 && reply.code().equals("RECEIPT_BUSY")) {
          // Its claim stands and nobody works on it.
          uncertain.add(id);
        } else {
          undocumented.add(id + ": " + reply.status() + " " + reply.body());
        }
      }
    }
  }

  private void startAgain(PostgresServer server) {
    int before = refused.get();
    await().atMost(LIMIT).until(() -> refused.get() > before);
    server.start();
    awaitMore();
  }

  private void awaitMore() {
    int before = accepted.size();
    await().atMost(LIMIT).until(() -> accepted.size() >= before + ENOUGH);
  }

  private static String runOf(Reply accepted) {
    return accepted.json().get("run_id").asText();
  }

  private static TestSender sender(TestApi api) throws SQLException {
    TestClient client = api.newClient();
    JsonNode made =
        client
            .send(
                "POST",
                "/v1/hooks",
                "{\"name\":\"a hook\",\"action\":{\"type\":\"start_run\",\"flow\":\"listing_review\"}}")
            .expect(201)
            .json();
    return new TestSender(api.port(), made.at("/hook/id").asText(), made.get("secret").asText());
  }

  /** The run of each accepted receipt that has its run, operation and event; by key. */
  private static Map<String, String> durable(MigratedDatabase database) throws SQLException {
    Map<String, String> runs = new TreeMap<>();
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT h.idem_key, r.id FROM onceward.hook_receipts h
                JOIN onceward.runs r ON r.id = h.run_id AND r.receipt_id = h.id
                JOIN onceward.operations o ON o.id = r.operation_id AND o.state = 'queued'
                JOIN onceward.outbox_events e ON e.id = o.event_id
                WHERE h.status = 'accepted'
                """)) {
      while (row.next()) {
        runs.put(row.getString(1), row.getString(2));
      }
    }
    return runs;
  }
}
