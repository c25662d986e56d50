package dev.onceward.api;

import static dev.onceward.api.TestApi.newStoreBody;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What the API does not put up with: too much at once, too often, too slowly. */
@ExtendWith(InfrastructureExtension.class)
class LimitsTest {
  private static final Map<String, String> HASTY =
      Map.of(
          "onceward.api.request-timeout", "1s",
          "onceward.api.pool-timeout", "300ms",
          "onceward.api.statement-timeout", "500ms");

  private final MigratedDatabase database;

  LimitsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
  }

  @AfterEach
  void drop() throws SQLException {
    database.close();
  }

  @Test
  void in_an_overload_a_bounded_number_waits_and_the_rest_is_told_at_once_to_come_back()
      throws Exception {
    try (TestApi api =
            TestApi.start(
                database,
                Map.of(
                    "onceward.api.pool-size", "1",
                    "onceward.api.pool-queue", "2",
                    "onceward.api.pool-timeout", "30s"));
        Connection blocker = database.superuser();
        Statement statement = blocker.createStatement()) {
      TestClient client = api.newClient();
      client.get("/v1/stores").expect(200);
      blocker.setAutoCommit(false);
      statement.execute("LOCK TABLE onceward.outbox_events IN ACCESS EXCLUSIVE MODE");
      CompletableFuture<Reply> running = postLater(client, "running");
      await().until(() -> database.blockedAppConnections() == 1);
      List<CompletableFuture<Reply>> more = new ArrayList<>();
      for (int i = 0; i < 20; i++) {
        more.add(postLater(client, "more-" + i));
      }

      // Nothing comes free before the rollback below, so these were not kept waiting.
      await()
          .atMost(Duration.ofSeconds(20))
          .until(() -> more.stream().filter(CompletableFuture::isDone).count() == 18);
      client.get("/health/live").expect(200);
      assertThat(client.get("/metrics").expect(200).body())
          .contains("onceward_api_refused_total{code=\"OVERLOADED\",process=\"onceward-api\"} 18");
      blocker.rollback();

      running.get(20, TimeUnit.SECONDS).expect(202);
      int accepted = 0;
      for (CompletableFuture<Reply> each : more) {
        Reply reply = each.get(20, TimeUnit.SECONDS);
        if (reply.status() == 202) {
          accepted++;
        } else {
          reply.expectProblem(503, "OVERLOADED");
          assertThat(reply.header("Retry-After")).isEqualTo("1");
        }
      }
      assertThat(accepted).isEqualTo(2);
      assertThat(api.rows()).isEqualTo(new TestApi.Rows(3, 3, 3, 3));
    }
  }

  @Test
  void an_access_key_that_sends_too_often_is_held_back_alone() throws Exception {
    try (TestApi api =
        TestApi.start(
            database,
            Map.of(
                "onceward.api.rate-limit-per-second", "1", "onceward.api.rate-limit-burst", "3"))) {
      Tenant tenant = database.newTenant();
      TestClient client = api.client(tenant);
      TestClient forger =
          new TestClient(api.port(), "ow_" + tenant.accessKey().keyId() + "_" + "x".repeat(43));
      for (int i = 0; i < 3; i++) {
        forger.get("/v1/stores").expectProblem(401, "UNAUTHENTICATED");
      }
      List<Reply> replies = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        replies.add(client.get("/v1/stores"));
      }

      assertThat(replies.subList(0, 3)).allMatch(reply -> reply.status() == 200);
      List<Reply> refused = replies.stream().filter(reply -> reply.status() != 200).toList();
      assertThat(refused).hasSizeGreaterThan(3);
      for (Reply reply : refused) {
        reply.expectProblem(429, "RATE_LIMITED");
        assertThat(reply.header("Retry-After")).isEqualTo("1");
      }
      api.newClient().get("/v1/stores").expect(200);
      client.get("/health/ready").expect(200);
      await().until(() -> client.get("/v1/stores").status() == 200);
    }
  }

  @Test
  void a_hook_that_gets_too_much_is_held_back_alone_and_before_its_body_is_read() throws Exception {
    try (TestApi api =
        TestApi.start(
            database,
            Map.of(
                "onceward.api.rate-limit-per-second", "1", "onceward.api.rate-limit-burst", "3"))) {
      String hook = "/hooks/" + UUID.randomUUID();
      TestClient sender = new TestClient(api.port(), "");
      List<Reply> refused = new ArrayList<>();
      for (int i = 0; i < 12; i++) {
        Reply reply = sender.send("POST", hook, "{}");
        if (reply.status() == 429) {
          refused.add(reply);
        } else {
          reply.expectProblem(400, "HEADER_INVALID");
        }
      }

      assertThat(refused).hasSizeBetween(4, 9);
      for (Reply reply : refused) {
        reply.expectProblem(429, "RATE_LIMITED");
        assertThat(reply.header("Retry-After")).isEqualTo("1");
      }
      sender.send("POST", hook + "x", "{}").expectProblem(400, "HEADER_INVALID");
      api.newClient().get("/v1/stores").expect(200);
      // The answer comes though the body never does.
      String head =
          "POST "
              + hook
              + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n";
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () -> {
                sender.send("POST", hook, "{}");
                try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
                  socket.setSoTimeout(5_000);
                  socket.getOutputStream().write(head.getBytes(StandardCharsets.US_ASCII));
                  String answer =
                      new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
                  assertThat(answer)
                      .startsWith("HTTP/1.1 429")
                      .contains("\r\nConnection: close\r\n");
                }
              });
      await().until(() -> sender.send("POST", hook, "{}").status() == 400);
    }
  }

  @Test
  void a_body_that_trickles_or_stops_is_answered_in_time() throws Exception {
    try (TestApi api = TestApi.start(database, HASTY)) {
      TestClient client = api.newClient();
      for (boolean trickle : new boolean[] {true, false}) {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
          socket.getOutputStream().write(head(client, 1_000).getBytes(StandardCharsets.US_ASCII));
          await()
              .atMost(Duration.ofSeconds(10))
              .pollInterval(Duration.ofMillis(100))
              .until(
                  () -> {
                    if (trickle) {
                      socket.getOutputStream().write(' ');
                    }
                    return socket.getInputStream().available() > 0;
                  });
          assertThat(firstBytes(socket)).startsWith("HTTP/1.1 408");
        }
      }
      assertThat(api.rows()).isEqualTo(new TestApi.Rows(0, 0, 0, 0));
    }
  }

  @Test
  void a_wait_ends_before_the_request_must() throws Exception {
    try (TestApi api = TestApi.start(database, HASTY)) {
      TestClient client = api.newClient();
      String location =
          String.valueOf(client.post("/v1/stores", newStoreBody()).expect(202).header("Location"));

      assertThat(client.get(location + "?wait=30s").expect(200).json().get("state").asText())
          .isEqualTo("queued");
    }
  }

  private static String firstBytes(Socket socket) throws IOException {
    socket.setSoTimeout(5_000);
    try {
      return new String(socket.getInputStream().readNBytes(12), StandardCharsets.US_ASCII);
    } catch (SocketException e) {
      return e.toString();
    }
  }

  private static String head(TestClient client, int length) {
    return "POST /v1/stores HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer "
        + client.accessKey()
        + "\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nContent-Length: "
        + length
        + "\r\n\r\n";
  }

  private static CompletableFuture<Reply> postLater(TestClient client, String key) {
    return client.sendLater("POST", "/v1/stores", newStoreBody(), "Idempotency-Key", key);
  }
}
