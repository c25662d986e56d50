package dev.onceward.api.operation;

import static dev.onceward.api.TestApi.newStoreBody;
import static dev.onceward.api.TestApi.operationId;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class OperationReadsTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private TestClient client;

  OperationReadsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    // One connection: whoever waits must not hold it.
    api = TestApi.start(database, Map.of("onceward.api.pool-size", "1"));
    client = api.newClient();
  }

  @BeforeEach
  void newWorkspace() throws SQLException {
    client = api.newClient();
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void an_operation_is_read_as_it_was_answered() {
    Reply created = client.post("/v1/stores", newStoreBody()).expect(202);

    Reply read = client.get(String.valueOf(created.header("Location"))).expect(200);

    assertThat(read.json()).isEqualTo(created.json().get("operation"));
    assertThat(
            client
                .send("HEAD", String.valueOf(created.header("Location")), null)
                .expect(200)
                .body())
        .isEmpty();
  }

  @Test
  void many_clients_wait_with_one_connection_and_all_see_the_end() throws Exception {
    String id = operationId(client.post("/v1/stores", newStoreBody()).expect(202).json());
    List<CompletableFuture<Reply>> waiting = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      waiting.add(client.sendLater("GET", "/v1/operations/" + id + "?wait=30s", null));
    }

    // While they wait, the only connection serves others.
    client.get("/v1/stores").expect(200);
    assertThat(waiting).noneMatch(CompletableFuture::isDone);
    succeed(id);

    for (CompletableFuture<Reply> reply : waiting) {
      JsonNode operation = reply.get(20, TimeUnit.SECONDS).expect(200).json();
      assertThat(operation.get("state").asText()).isEqualTo("succeeded");
      assertThat(operation.get("result").toString()).isEqualTo("{\"valid\":true}");
      assertThat(operation.has("finished_at")).isTrue();
    }
  }

  @Test
  void a_wait_ends_with_its_time_and_the_state_of_then() {
    String id = operationId(client.post("/v1/stores", newStoreBody()).expect(202).json());
    long start = System.nanoTime();

    JsonNode operation = client.get("/v1/operations/" + id + "?wait=300ms").expect(200).json();

    assertThat(operation.get("state").asText()).isEqualTo("queued");
    assertThat(Duration.ofNanos(System.nanoTime() - start))
        .isBetween(Duration.ofMillis(300), Duration.ofSeconds(20));
  }

  @Test
  void one_that_has_ended_is_answered_at_once() throws Exception {
    String id = operationId(client.post("/v1/stores", newStoreBody()).expect(202).json());
    succeed(id);

    assertThat(
            client
                .sendLater("GET", "/v1/operations/" + id + "?wait=30s", null)
                .get(20, TimeUnit.SECONDS)
                .expect(200)
                .json()
                .get("state")
                .asText())
        .isEqualTo("succeeded");
  }

  @Test
  void the_list_is_filtered_by_state_and_kind_and_paged() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ids.add(0, operationId(client.post("/v1/stores", newStoreBody()).expect(202).json()));
    }
    succeed(ids.get(1));
    api.newClient().post("/v1/stores", newStoreBody()).expect(202);

    assertThat(listed("")).isEqualTo(ids);
    assertThat(listed("?state=succeeded")).containsExactly(ids.get(1));
    assertThat(listed("?state=queued&kind=verify_store_credentials"))
        .containsExactly(ids.get(0), ids.get(2));
    assertThat(listed("?kind=process_media")).isEmpty();
    assertThat(listed("?after=" + ids.get(0) + "&limit=1")).containsExactly(ids.get(1));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "?state=done",
        "?state=QUEUED",
        "?kind=A",
        "?kind=",
        "?after=1",
        "?limit=0",
        "?limit=201",
        "?limit=x",
        "?limit=99999999999",
        "?unknown=1",
        "?state=queued&state=dead",
        "?kind=%00",
        "?kind=%ff"
      })
  void a_bad_list_parameter_is_refused(String query) {
    client.get("/v1/operations" + query).expectProblem(400, "PARAMETER_INVALID");
  }

  @ParameterizedTest
  @ValueSource(strings = {"?wait=", "?wait=20", "?wait=31s", "?wait=-1s", "?wait=1m", "?x=1"})
  void a_bad_wait_is_refused(String query) {
    client
        .get("/v1/operations/" + UUID.randomUUID() + query)
        .expectProblem(400, "PARAMETER_INVALID");
  }

  @Test
  void a_foreign_operation_is_as_unknown_as_one_that_does_not_exist() throws Exception {
    String foreign =
        operationId(api.newClient().post("/v1/stores", newStoreBody()).expect(202).json());

    Reply hidden = client.get("/v1/operations/" + foreign + "?wait=10s");
    Reply missing = client.get("/v1/operations/" + UUID.randomUUID() + "?wait=10s");

    assertThat(hidden.expectProblem(404, "NOT_FOUND").body())
        .isEqualTo(missing.expectProblem(404, "NOT_FOUND").body());
  }

  private List<String> listed(String query) {
    List<String> ids = new ArrayList<>();
    client
        .get("/v1/operations" + query)
        .expect(200)
        .json()
        .get("items")
        .forEach(item -> ids.add(item.get("id").asText()));
    return ids;
  }

  private void succeed(String id) throws SQLException {
    api.sql(
        "UPDATE onceward.operations SET state = 'succeeded', attempt = 1, result = '{\"valid\":true}',"
            + " finished_at = now() WHERE id = '"
            + id
            + "'");
  }
}
