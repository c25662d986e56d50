package dev.onceward.api;

import static dev.onceward.api.TestApi.newStoreBody;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.api.TestApi.Rows;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresOptions;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.ShutdownMode;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** PostgreSQL goes away and comes back, on a server of its own. */
class OutageTest {

  @Test
  void an_absence_of_postgresql_is_told_and_lived_through() throws Exception {
    try (PostgresServer server =
            PostgresServer.start(PostgresOptions.temporary().withoutDurability());
        MigratedDatabase database = MigratedDatabase.create(server);
        TestApi api = TestApi.start(database, Map.of("onceward.api.pool-timeout", "1s"))) {
      TestClient client = api.newClient();
      String first = newStoreBody();
      Reply created = client.post("/v1/stores", first, "before").expect(202);
      String location = String.valueOf(created.header("Location"));
      CompletableFuture<Reply> waiting = client.sendLater("GET", location + "?wait=30s", null);

      server.stop(ShutdownMode.FAST);

      String body = newStoreBody();
      for (Reply reply :
          new Reply[] {client.post("/v1/stores", body, "during"), client.get("/v1/stores")}) {
        reply.expectProblem(503, "DATABASE_UNAVAILABLE");
        assertThat(reply.header("Retry-After")).isNotNull();
        assertThat(reply.body()).doesNotContain("org.postgresql").doesNotContain("127.0.0.1");
      }
      assertThat(waiting.get(20, TimeUnit.SECONDS).status()).isIn(200, 503);
      Awaitility.await()
          .atMost(Duration.ofSeconds(10))
          .untilAsserted(
              () -> {
                Reply ready = client.get("/health/ready").expect(503);
                assertThat(ready.json().get("reasons").toString()).contains("PostgreSQL");
              });
      client.get("/health/live").expect(200);

      server.start();

      Awaitility.await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(() -> client.get("/health/ready").expect(200));
      client.post("/v1/stores", body, "during").expect(202);
      assertThat(client.post("/v1/stores", first, "before").expect(202).body())
          .isEqualTo(created.body());
      assertThat(rows(api)).isEqualTo(new Rows(2, 2, 2, 2));
    }
  }

  private static Rows rows(TestApi api) throws SQLException {
    return api.rows();
  }
}
