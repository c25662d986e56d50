package dev.onceward.api.idempotent;

import static dev.onceward.api.TestApi.newStoreBody;
import static dev.onceward.api.TestApi.storeBody;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.api.TestApi;
import dev.onceward.api.TestApi.Rows;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Equal requests at the same time, and requests that end in the middle. */
@ExtendWith(InfrastructureExtension.class)
class ConcurrentRequestsTest {
  private static final int PARALLEL = 50;
  private static final int ROUNDS = 100;

  private final MigratedDatabase database;
  private final TestApi api;
  private final TestClient client;

  ConcurrentRequestsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    client = api.newClient();
  }

  @BeforeEach
  void warmUp() {
    client.get("/v1/stores").expect(200);
  }

  @AfterEach
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  /** S41, a hundred rounds of it. */
  @Tag("S41")
  @Test
  void fifty_equal_requests_at_once_execute_once() throws Exception {
    for (int round = 1; round <= ROUNDS; round++) {
      String key = "round-" + round;
      String body = storeBody(key);

      List<Reply> replies = inParallel(List.of(client), body, key);

      assertOneAnswer(replies);
      assertThat(api.rows()).isEqualTo(new Rows(round, round, round, round));
      assertThat(client.post("/v1/stores", body, key).expect(202).header("Idempotency-Replayed"))
          .isEqualTo("true");
    }
  }

  /** S41. */
  @Tag("S41")
  @Test
  void instances_with_different_current_keys_execute_once_too() throws Exception {
    // In the middle of a rotation. Were only the current key's lock taken, one would find the
    // other's store and refuse.
    String before = "a:" + TestApi.key('a') + ",b:" + TestApi.key('b');
    String after = "b:" + TestApi.key('b') + ",a:" + TestApi.key('a');
    try (TestApi old = TestApi.start(database, Map.of("onceward.api.fingerprint-keys", before));
        TestApi rotated = TestApi.start(database, Map.of("onceward.api.fingerprint-keys", after))) {
      List<TestClient> clients = List.of(client.at(old.port()), client.at(rotated.port()));
      for (int round = 1; round <= 5; round++) {
        String key = "round-" + round;

        List<Reply> replies = inParallel(clients, storeBody(key), key);

        assertOneAnswer(replies);
        assertThat(api.rows()).isEqualTo(new Rows(round, round, round, round));
      }
    }
  }

  @Test
  void a_request_whose_twin_is_executing_is_told_to_come_back() throws Exception {
    String body = newStoreBody();
    try (Connection blocker = database.superuser();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.outbox_events IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Reply> first = postLater(body, "k");
      awaitBlocked(1);

      Reply second = client.post("/v1/stores", body, "k");

      second.expectProblem(409, "IDEMPOTENCY_REQUEST_IN_PROGRESS");
      assertThat(second.header("Retry-After")).isEqualTo("1");
      blocker.rollback();
      Reply answered = first.get(30, TimeUnit.SECONDS).expect(202);
      assertThat(client.post("/v1/stores", body, "k").expect(202).body())
          .isEqualTo(answered.body());
    }
  }

  /** S46. */
  @Tag("S46")
  @Test
  void a_request_that_dies_in_the_middle_leaves_nothing_and_its_retry_executes() throws Exception {
    String body = newStoreBody();
    try (Connection blocker = database.superuser();
        Statement statement = blocker.createStatement()) {
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.idempotency_requests IN EXCLUSIVE MODE");
      CompletableFuture<Reply> first = postLater(body, "k");
      awaitBlocked(1);
      // What a SIGKILL of the API is for PostgreSQL: its connection ends inside the transaction.
      statement.execute(
          "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname ="
              + " current_database() AND usename = 'onceward_app' AND wait_event_type = 'Lock'");
      Reply failed = first.get(30, TimeUnit.SECONDS);
      failed.expectProblem(503, "DATABASE_UNAVAILABLE");
      assertThat(failed.header("Retry-After")).isNotNull();
      blocker.rollback();
    }
    assertThat(api.rows()).isEqualTo(new Rows(0, 0, 0, 0));

    client.post("/v1/stores", body, "k").expect(202);

    assertThat(api.rows()).isEqualTo(new Rows(1, 1, 1, 1));
  }

  /** S47. */
  @Tag("S47")
  @Test
  void a_client_that_goes_away_gets_the_answer_when_it_comes_back() throws Exception {
    String body = newStoreBody();
    try (java.net.Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
      String head =
          "POST /v1/stores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
              + client.accessKey()
              + "\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n";
      socket.getOutputStream().write((head + body).getBytes(StandardCharsets.US_ASCII));
      socket.getOutputStream().flush();
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(() -> assertThat(api.rows()).isEqualTo(new Rows(1, 1, 1, 1)));

    Reply reply = client.post("/v1/stores", body, "k").expect(202);

    assertThat(reply.header("Idempotency-Replayed")).isEqualTo("true");
    try (TestApi restarted = TestApi.start(database)) {
      assertThat(client.at(restarted.port()).post("/v1/stores", body, "k").expect(202).body())
          .isEqualTo(reply.body());
    }
    assertThat(api.rows()).isEqualTo(new Rows(1, 1, 1, 1));
  }

  /** S45. */
  @Tag("S45")
  @Test
  void after_a_time_out_the_same_key_executes() throws Exception {
    String body = newStoreBody();
    try (TestApi hasty =
        TestApi.start(database, Map.of("onceward.api.statement-timeout", "300ms"))) {
      TestClient there = client.at(hasty.port());
      try (Connection blocker = database.superuser();
          Statement statement = blocker.createStatement()) {
        blocker.setAutoCommit(false);
        statement.execute("LOCK TABLE onceward.stores IN ACCESS EXCLUSIVE MODE");
        Reply reply = there.post("/v1/stores", body, "k").expectProblem(503, "DATABASE_TIMEOUT");
        assertThat(reply.header("Retry-After")).isEqualTo("1");
        blocker.rollback();
      }

      there.post("/v1/stores", body, "k").expect(202);
      assertThat(api.rows()).isEqualTo(new Rows(1, 1, 1, 1));
    }
  }

  /** S52. */
  @Tag("S52")
  @Test
  void when_the_event_or_the_answer_cannot_be_written_nothing_stays_and_the_retry_succeeds()
      throws Exception {
    String body = storeBody("marker");
    for (String table : List.of("outbox_events", "idempotency_requests")) {
      String column = table.equals("outbox_events") ? "business_key" : "key";
      api.sql(
          "ALTER TABLE onceward."
              + table
              + " ADD CONSTRAINT broken CHECK ("
              + column
              + " <> 'marker')");

      client.post("/v1/stores", body, "marker").expectProblem(500, "INTERNAL_ERROR");

      assertThat(api.rows()).isEqualTo(new Rows(0, 0, 0, 0));
      api.sql("ALTER TABLE onceward." + table + " DROP CONSTRAINT broken");
    }

    client.post("/v1/stores", body, "marker").expect(202);

    assertThat(api.rows()).isEqualTo(new Rows(1, 1, 1, 1));
  }

  @Test
  void a_transaction_that_fails_to_serialise_is_run_again() throws Exception {
    api.sql("CREATE SEQUENCE onceward.tries");
    api.sql("GRANT USAGE ON SEQUENCE onceward.tries TO onceward_app");
    api.sql(
        """
        CREATE FUNCTION onceward.fail_twice() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('onceward.tries') < 3 THEN
            RAISE EXCEPTION 'provoked' USING ERRCODE = 'deadlock_detected';
          END IF;
          RETURN NEW;
        END $$
        """);
    api.sql("GRANT EXECUTE ON FUNCTION onceward.fail_twice() TO onceward_app");
    api.sql(
        "CREATE TRIGGER fail_twice BEFORE INSERT ON onceward.stores FOR EACH ROW EXECUTE FUNCTION"
            + " onceward.fail_twice()");

    client.post("/v1/stores", newStoreBody()).expect(202);

    assertThat(api.rows()).isEqualTo(new Rows(1, 1, 1, 1));
  }

  @Test
  void a_rotated_fingerprint_key_still_recognises_older_requests_while_it_is_configured()
      throws Exception {
    String body = newStoreBody();
    Reply first = client.post("/v1/stores", body, "k").expect(202);
    String rotated = "b:" + TestApi.key('b');
    String both = rotated + ",a:" + TestApi.key('a');

    try (TestApi later = TestApi.start(database, Map.of("onceward.api.fingerprint-keys", both))) {
      TestClient there = client.at(later.port());
      assertThat(there.post("/v1/stores", body, "k").expect(202).body()).isEqualTo(first.body());
      there.post("/v1/stores", newStoreBody(), "k").expectProblem(409, "IDEMPOTENCY_KEY_REUSED");
    }
    try (TestApi tooLate =
        TestApi.start(database, Map.of("onceward.api.fingerprint-keys", rotated))) {
      Reply refused = client.at(tooLate.port()).post("/v1/stores", body, "k");
      refused.expectProblem(503, "FINGERPRINT_KEY_MISSING");
      assertThat(refused.header("Retry-After")).isEqualTo("60");
    }
    assertThat(api.rows()).isEqualTo(new Rows(1, 1, 1, 1));
  }

  private List<Reply> inParallel(List<TestClient> clients, String body, String key)
      throws Exception {
    List<CompletableFuture<Reply>> sent = new ArrayList<>();
    for (int i = 0; i < PARALLEL; i++) {
      sent.add(
          clients
              .get(i % clients.size())
              .sendLater("POST", "/v1/stores", body, "Idempotency-Key", key));
    }
    List<Reply> replies = new ArrayList<>();
    for (CompletableFuture<Reply> reply : sent) {
      replies.add(reply.get(60, TimeUnit.SECONDS));
    }
    return replies;
  }

  /** One original answer, its replays, and the documented "in progress"; nothing else. */
  private static void assertOneAnswer(List<Reply> replies) {
    List<Reply> accepted = new ArrayList<>();
    for (Reply reply : replies) {
      if (reply.status() == 202) {
        accepted.add(reply);
      } else {
        reply.expectProblem(409, "IDEMPOTENCY_REQUEST_IN_PROGRESS");
      }
    }
    assertThat(accepted).isNotEmpty();
    assertThat(accepted.stream().map(Reply::body).distinct()).hasSize(1);
    assertThat(accepted.stream().filter(r -> r.header("Idempotency-Replayed") == null)).hasSize(1);
  }

  private CompletableFuture<Reply> postLater(String body, String key) {
    return client.sendLater("POST", "/v1/stores", body, "Idempotency-Key", key);
  }

  private void awaitBlocked(int connections) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> database.blockedAppConnections() == connections);
  }
}
