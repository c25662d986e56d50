package dev.onceward.api;

import static dev.onceward.api.TestApi.newStoreBody;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
class ShutdownTest {

  @Test
  void a_running_request_ends_before_the_server_does_and_a_waiting_one_is_answered_at_once(
      PostgresServer server) throws Exception {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection blocker = database.superuser();
        Statement statement = blocker.createStatement()) {
      TestApi api = TestApi.start(database);
      int port = api.port();
      TestClient client = api.newClient();
      Reply created = client.post("/v1/stores", newStoreBody()).expect(202);
      String location = String.valueOf(created.header("Location"));
      CompletableFuture<Reply> waiting = client.sendLater("GET", location + "?wait=30s", null);
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.outbox_events IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Reply> running =
          client.sendLater("POST", "/v1/stores", newStoreBody(), "Idempotency-Key", "k");
      awaitBlocked(database);

      CompletableFuture<Void> closing = CompletableFuture.runAsync(api::close);

      assertThat(waiting.get(20, TimeUnit.SECONDS).expect(200).json().get("state").asText())
          .isEqualTo("queued");
      Awaitility.await().atMost(Duration.ofSeconds(20)).until(() -> refusesConnections(port));
      assertThat(closing).isNotDone();
      blocker.rollback();
      running.get(20, TimeUnit.SECONDS).expect(202);
      closing.get(20, TimeUnit.SECONDS);
      assertThat(api.rows()).isEqualTo(new TestApi.Rows(2, 2, 2, 2));
    }
  }

  @Test
  void a_request_that_outlasts_the_grace_time_is_cut_off_and_leaves_nothing(PostgresServer server)
      throws Exception {
    try (MigratedDatabase database = MigratedDatabase.create(server);
        Connection blocker = database.superuser();
        Statement statement = blocker.createStatement()) {
      TestApi api = TestApi.start(database, Map.of(), Duration.ofMillis(300));
      TestClient client = api.newClient();
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.outbox_events IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Reply> running =
          client.sendLater("POST", "/v1/stores", newStoreBody(), "Idempotency-Key", "k");
      awaitBlocked(database);

      api.close();

      blocker.rollback();
      assertThat(running.handle((reply, failure) -> failure != null || reply.status() >= 500))
          .succeedsWithin(Duration.ofSeconds(20))
          .isEqualTo(true);
      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> assertThat(database.appConnections()).isZero());
      assertThat(api.rows()).isEqualTo(new TestApi.Rows(0, 0, 0, 0));
    }
  }

  @Test
  void when_all_connections_are_in_use_the_next_request_is_told_so(PostgresServer server)
      throws Exception {
    Map<String, String> small =
        Map.of("onceward.api.pool-size", "1", "onceward.api.pool-timeout", "250ms");
    try (MigratedDatabase database = MigratedDatabase.create(server);
        TestApi api = TestApi.start(database, small);
        Connection blocker = database.superuser();
        Statement statement = blocker.createStatement()) {
      TestClient client = api.newClient();
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.outbox_events IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Reply> running =
          client.sendLater("POST", "/v1/stores", newStoreBody(), "Idempotency-Key", "k");
      awaitBlocked(database);

      Reply refused = client.get("/v1/stores").expectProblem(503, "OVERLOADED");

      assertThat(refused.header("Retry-After")).isEqualTo("1");
      blocker.rollback();
      running.get(20, TimeUnit.SECONDS).expect(202);
      client.get("/v1/stores").expect(200);
    }
  }

  private static boolean refusesConnections(int port) throws Exception {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !socket.isConnected();
    } catch (ConnectException e) {
      return true;
    }
  }

  private static void awaitBlocked(MigratedDatabase database) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> database.blockedAppConnections() == 1);
  }
}
