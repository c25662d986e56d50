package dev.onceward.api.idempotent;

import static dev.onceward.api.TestApi.newStoreBody;
import static dev.onceward.api.TestApi.storeBody;
import static dev.onceward.api.TestApi.storeId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.api.TestApi;
import dev.onceward.api.TestApi.Rows;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.AccessKeyToken;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Every row of the table of idempotent writes, over HTTP. */
@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class IdempotencyTableTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private TestClient client;

  IdempotencyTableTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    client = api.newClient();
  }

  @BeforeAll
  void warmUp() {
    client.get("/v1/stores").expect(200);
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
  void a_first_request_writes_one_row_of_each_kind_and_says_where_to_follow_it() throws Exception {
    Rows before = api.rows();

    Reply reply = client.post("/v1/stores", newStoreBody()).expect(202);

    String operationId = TestApi.operationId(reply.json());
    assertThat(reply.header("Location")).isEqualTo("/v1/operations/" + operationId);
    assertThat(reply.header("Content-Type")).isEqualTo("application/json");
    assertThat(reply.header("Idempotency-Replayed")).isNull();
    assertThat(reply.json().at("/operation/state").asText()).isEqualTo("queued");
    assertThat(reply.json().at("/operation/subject_id").asText()).isEqualTo(storeId(reply.json()));
    assertThat(api.rows()).isEqualTo(before.plus(1, 1, 1, 1));
  }

  @Test
  void a_repeated_request_gets_the_first_answer_again() throws Exception {
    String body = newStoreBody();
    Reply first = client.post("/v1/stores", body, "a-key").expect(202);
    Rows before = api.rows();

    Reply second = client.post("/v1/stores", body, "a-key");
    Reply third = client.post("/v1/stores", body, "\"a-key\"");

    for (Reply replayed : List.of(second, third)) {
      assertThat(replayed.expect(202).body()).isEqualTo(first.body());
      assertThat(replayed.header("Location")).isEqualTo(first.header("Location"));
      assertThat(replayed.header("Content-Type")).isEqualTo(first.header("Content-Type"));
      assertThat(replayed.header("Idempotency-Replayed")).isEqualTo("true");
    }
    assertThat(api.rows()).isEqualTo(before);
  }

  @Test
  void a_write_without_a_key_is_refused() throws Exception {
    Rows before = api.rows();

    Reply reply =
        client
            .send("POST", "/v1/stores", newStoreBody())
            .expectProblem(400, "IDEMPOTENCY_KEY_REQUIRED");

    assertThat(reply.json().get("field").asText()).isEqualTo("Idempotency-Key");
    assertThat(api.rows()).isEqualTo(before);
  }

  /** S42. */
  @Tag("S42")
  @Test
  void a_key_sent_twice_or_malformed_is_refused_and_leaves_no_row() throws Exception {
    Rows before = api.rows();

    client
        .send("POST", "/v1/stores", newStoreBody(), "Idempotency-Key", "a", "Idempotency-Key", "a")
        .expectProblem(400, "IDEMPOTENCY_KEY_INVALID");
    for (String key :
        List.of("", " ", "a b", "a, b", "a;q=1", "\"a", "x".repeat(201), "x".repeat(3_000))) {
      client.post("/v1/stores", newStoreBody(), key).expectProblem(400, "IDEMPOTENCY_KEY_INVALID");
    }

    assertThat(api.rows()).isEqualTo(before);
  }

  /** S42. */
  @Tag("S42")
  @Test
  void different_legal_keys_never_collide_and_letter_case_counts() throws Exception {
    Rows before = api.rows();
    String longest = "x".repeat(199);
    List<String> keys =
        List.of("k", "K", "k.", longest + "a", longest + "b", "\"a,b\"", "\"a;b\"", "%61", "a");

    for (String key : keys) {
      assertThat(
              client
                  .post("/v1/stores", newStoreBody(), key)
                  .expect(202)
                  .header("Idempotency-Replayed"))
          .isNull();
    }

    int count = keys.size();
    assertThat(api.rows()).isEqualTo(before.plus(count, count, count, count));
  }

  /** S43. */
  @Tag("S43")
  @Test
  void the_same_body_in_another_order_and_spacing_is_the_same_request() throws Exception {
    String body =
        """
        {"platform":"shopline","external_id":"x","name":"n","credentials":{"a":"1","b":"2"}}""";
    String other =
        """
          { "credentials" : {"b":"2", "\\u0061":"1"},
            "name":"n", "external_id":"x", "platform":"shopline" }
        """;
    Reply first = client.post("/v1/stores", body, "order").expect(202);

    Reply second = client.post("/v1/stores", other, "order").expect(202);
    Reply typed =
        client.send(
            "POST",
            "/v1/stores",
            body,
            "Idempotency-Key",
            "order",
            "Content-Type",
            "Application/JSON; charset=UTF-8");

    assertThat(second.body()).isEqualTo(first.body());
    assertThat(typed.expect(202).body()).isEqualTo(first.body());
  }

  /** S44. */
  @Tag("S44")
  @Test
  void a_key_used_for_another_request_is_refused_and_the_first_stays_replayable() throws Exception {
    String body = newStoreBody();
    Reply first = client.post("/v1/stores", body, "reused").expect(202);
    Rows before = api.rows();

    client
        .post("/v1/stores", newStoreBody(), "reused")
        .expectProblem(409, "IDEMPOTENCY_KEY_REUSED");
    client
        .post("/v1/stores?dry_run=true", body, "reused")
        .expectProblem(409, "IDEMPOTENCY_KEY_REUSED");
    client.post("/v1/stores", "{}", "reused").expectProblem(409, "IDEMPOTENCY_KEY_REUSED");
    client
        .send("POST", "/v1/stores", body, "Idempotency-Key", "reused", "If-Match", "\"1\"")
        .expectProblem(409, "IDEMPOTENCY_KEY_REUSED");

    assertThat(api.rows()).isEqualTo(before);
    assertThat(client.post("/v1/stores", body, "reused").expect(202).body())
        .isEqualTo(first.body());
  }

  /** S44. */
  @Tag("S44")
  @Test
  void the_scope_of_a_key_is_workspace_user_method_and_path() throws Exception {
    String key = "one-key";
    String id = storeId(client.post("/v1/stores", newStoreBody(), key).expect(202).json());
    String verifications = "/v1/stores/" + id + "/credential-verifications";

    assertThat(client.post(verifications, "{}", key).expect(202).header("Idempotency-Replayed"))
        .isNull();
    // Another spelling of the same path is the same path.
    assertThat(
            client
                .post(verifications.replace(id, "%30" + id.substring(1)), "{}", key)
                .expect(202)
                .header("Idempotency-Replayed"))
        .isEqualTo("true");
    Tenant tenant = database.newTenant();
    assertThat(
            api.client(tenant)
                .post("/v1/stores", newStoreBody(), key)
                .expect(202)
                .header("Idempotency-Replayed"))
        .isNull();
    assertThat(
            new TestClient(api.port(), colleagueOf(tenant).reveal())
                .post("/v1/stores", newStoreBody(), key)
                .expect(202)
                .header("Idempotency-Replayed"))
        .isNull();
  }

  /** S45, the treatment of 4xx. */
  @Tag("S45")
  @Test
  void a_refused_request_stores_nothing_and_a_corrected_one_executes_under_the_same_key()
      throws Exception {
    Rows before = api.rows();

    client
        .post("/v1/stores", "{\"platform\":\"shopline\"}", "k")
        .expectProblem(400, "FIELD_REQUIRED");
    client.post("/v1/stores", storeBody("x") + "x", "k").expectProblem(400, "JSON_MALFORMED");
    client.post("/v1/stores?x=1", storeBody("x"), "k").expectProblem(400, "PARAMETER_INVALID");
    assertThat(api.rows()).isEqualTo(before);

    client.post("/v1/stores", storeBody("x"), "k").expect(202);
    assertThat(api.rows()).isEqualTo(before.plus(1, 1, 1, 1));
  }

  /** S47. */
  @Tag("S47")
  @Test
  void a_rotated_access_key_of_the_same_user_still_gets_the_first_answer() throws Exception {
    Tenant tenant = database.newTenant();
    String body = newStoreBody();
    Reply first = api.client(tenant).post("/v1/stores", body, "k").expect(202);
    AccessKeyToken rotated =
        database
            .app()
            .inWorkspace(
                tenant.workspaceId(),
                connection -> AccessKeyStore.create(connection, tenant.userId(), "the next key"));

    Reply again = new TestClient(api.port(), rotated.reveal()).post("/v1/stores", body, "k");

    assertThat(again.expect(202).body()).isEqualTo(first.body());
  }

  @Test
  void an_answer_is_forgotten_when_its_time_is_over() throws Exception {
    String body = newStoreBody();
    client.post("/v1/stores", body, "old").expect(202);
    api.sql(
        "UPDATE onceward.idempotency_requests SET created_at = now() - interval '2 days',"
            + " expires_at = now() - interval '1 second' WHERE key = 'old'");

    client.post("/v1/stores", body, "old").expectProblem(409, "STORE_EXISTS");
    client.post("/v1/stores", newStoreBody(), "old").expect(202);
  }

  @Test
  void an_answer_that_would_store_a_secret_is_refused_and_nothing_stays() throws Exception {
    Rows before = api.rows();
    String body =
        "{\"platform\":\"p\",\"external_id\":\"x\",\"name\":\"https://u:p4ss@host/\",\"credentials\":{\"a\":\"b\"}}";

    client.post("/v1/stores", body).expectProblem(400, "SECRET_REFUSED");

    assertThat(api.rows()).isEqualTo(before);
  }

  private AccessKeyToken colleagueOf(Tenant tenant) throws SQLException {
    return database
        .app()
        .inWorkspace(
            tenant.workspaceId(),
            connection -> {
              UUID colleague = UserStore.create(connection, "a colleague", Role.MEMBER);
              return AccessKeyStore.create(connection, colleague, "their key");
            });
  }
}
