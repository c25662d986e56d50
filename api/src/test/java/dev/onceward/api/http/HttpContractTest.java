package dev.onceward.api.http;

import static dev.onceward.api.TestApi.newStoreBody;
import static dev.onceward.api.TestApi.storeId;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.api.TestApi;
import dev.onceward.api.TestApi.Rows;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What every call has in common. */
@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HttpContractTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private final Tenant tenant;
  private final TestClient client;

  HttpContractTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    tenant = database.newTenant();
    client = api.client(tenant);
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void without_a_proper_access_key_there_is_one_answer_and_nothing_is_told() {
    String good = tenant.accessKey().reveal();
    String otherSecret = good.substring(0, good.length() - 4) + "AAAA";
    String unknown = "ow_0000000000000000_" + "A".repeat(43);
    for (String key :
        List.of("x", good + "x", otherSecret, unknown, good.toUpperCase(java.util.Locale.ROOT))) {
      Reply reply =
          new TestClient(api.port(), key).get("/v1/stores").expectProblem(401, "UNAUTHENTICATED");
      assertThat(reply.header("WWW-Authenticate")).isEqualTo("Bearer error=\"invalid_token\"");
      assertThat(reply.body()).doesNotContain(good.substring(good.length() - 20));
    }
    TestClient anonymous = new TestClient(api.port(), "");
    assertThat(
            anonymous
                .get("/v1/stores")
                .expectProblem(401, "UNAUTHENTICATED")
                .header("WWW-Authenticate"))
        .isEqualTo("Bearer");
    for (String header : List.of("Basic abc", "Bearer", good, "Bearer " + good + " x")) {
      anonymous.get("/v1/stores", "Authorization", header).expectProblem(401, "UNAUTHENTICATED");
    }
    client
        .get("/v1/stores", "Authorization", "Bearer " + good)
        .expectProblem(401, "UNAUTHENTICATED");
    anonymous.get("/v1/stores", "Authorization", "bearer  " + good).expect(200);
  }

  @Test
  void a_revoked_key_ends_at_once() throws Exception {
    Tenant other = database.newTenant();
    TestClient theirs = api.client(other);
    theirs.get("/v1/stores").expect(200);

    database
        .app()
        .runInWorkspace(
            other.workspaceId(),
            connection -> AccessKeyStore.revoke(connection, other.accessKey().keyId()));

    theirs.get("/v1/stores").expectProblem(401, "UNAUTHENTICATED");
  }

  @Test
  void unknown_paths_methods_and_media_types_are_problems_too() {
    client.get("/").expectProblem(404, "NOT_FOUND");
    client.get("/v1/stores/").expectProblem(404, "NOT_FOUND");
    client.get("/v1//stores").expectProblem(400, "REQUEST_INVALID");
    client.get("/V1/stores").expectProblem(404, "NOT_FOUND");
    Reply wrongMethod = client.send("DELETE", "/v1/stores", null);
    wrongMethod.expectProblem(405, "METHOD_NOT_ALLOWED");
    assertThat(wrongMethod.header("Allow")).isEqualTo("GET, HEAD, POST");
    assertThat(client.send("POST", "/v1/stores/" + UUID.randomUUID(), "{}").header("Allow"))
        .isEqualTo("GET, HEAD");
    client.send("OPTIONS", "/v1/stores", null).expectProblem(405, "METHOD_NOT_ALLOWED");
    client.send("BREW", "/v1/stores", null).expectProblem(405, "METHOD_NOT_ALLOWED");

    client.get("/v1/stores", "Accept", "text/html").expectProblem(406, "NOT_ACCEPTABLE");
    client.get("/v1/stores", "Accept", "application/json;q=0").expectProblem(406, "NOT_ACCEPTABLE");
    client.get("/v1/stores", "Accept", "text/html, application/*;q=0.1").expect(200);
    client.get("/v1/stores", "Accept", "*/*").expect(200);

    for (String type : List.of("text/plain", "application/json; charset=latin1", "x", "")) {
      client
          .send("POST", "/v1/stores", newStoreBody(), "Idempotency-Key", "k", "Content-Type", type)
          .expectProblem(415, "UNSUPPORTED_MEDIA_TYPE");
    }
    client
        .send(
            "POST",
            "/v1/stores",
            newStoreBody(),
            "Idempotency-Key",
            "k",
            "Content-Encoding",
            "gzip")
        .expectProblem(415, "UNSUPPORTED_MEDIA_TYPE");
    client
        .send("POST", "/v1/stores", null, "Idempotency-Key", "k")
        .expectProblem(415, "UNSUPPORTED_MEDIA_TYPE");
    client.post("/v1/stores", "").expectProblem(400, "BODY_REQUIRED");
  }

  @Test
  void ids_of_a_request_are_taken_or_made_and_returned() {
    Reply given = client.get("/v1/stores", "X-Request-Id", "r-1", "X-Correlation-Id", "c-1");
    assertThat(given.header("X-Request-Id")).isEqualTo("r-1");
    assertThat(given.header("X-Correlation-Id")).isEqualTo("c-1");

    Reply made = client.get("/v1/stores");
    assertThat(made.header("X-Request-Id")).isNotBlank().isEqualTo(made.header("X-Correlation-Id"));

    client.get("/v1/stores", "X-Request-Id", "r".repeat(128)).expect(200);
    for (String bad : List.of("r".repeat(129), "a b", "")) {
      Reply refused =
          client.get("/v1/stores", "X-Request-Id", bad).expectProblem(400, "HEADER_INVALID");
      assertThat(refused.json().get("field").asText()).isEqualTo("X-Request-Id");
      assertThat(refused.header("X-Request-Id")).isNotEqualTo(bad);
    }
    client
        .get("/v1/stores", "X-Correlation-Id", "a", "X-Correlation-Id", "b")
        .expectProblem(400, "HEADER_INVALID");
    assertThat(client.get("/nowhere", "X-Request-Id", "r-2").header("X-Request-Id"))
        .isEqualTo("r-2");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "x",
        "00-00000000000000000000000000000000-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-0000000000000000-01",
        "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
        "00-0AF7651916CD43DD8448EB211C80319C-b7ad6b7169203331-01",
        "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01-more"
      })
  void a_malformed_traceparent_is_ignored(String traceparent) {
    client
        .send(
            "POST",
            "/v1/stores",
            newStoreBody(),
            "Idempotency-Key",
            UUID.randomUUID().toString(),
            "traceparent",
            traceparent)
        .expect(202);
  }

  @Test
  void a_traceparent_of_a_later_version_counts_with_its_known_fields() throws Exception {
    String known = "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    client
        .send(
            "POST",
            "/v1/stores",
            newStoreBody(),
            "Idempotency-Key",
            UUID.randomUUID().toString(),
            "traceparent",
            known + "-more")
        .expect(202);
    try (var connection = database.superuser();
        var statement = connection.createStatement();
        var row =
            statement.executeQuery(
                "SELECT count(*) FROM onceward.outbox_events WHERE traceparent = '"
                    + known
                    + "'")) {
      row.next();
      assertThat(row.getInt(1)).isEqualTo(1);
    }
  }

  @Test
  void a_body_up_to_the_limit_is_read_and_a_larger_one_refused() throws Exception {
    int limit = 256 * 1024;
    String body = newStoreBody();
    client.post("/v1/stores", body + " ".repeat(limit - body.length())).expect(202);
    Rows before = api.rows();

    client
        .post("/v1/stores", newStoreBody() + " ".repeat(limit))
        .expectProblem(413, "BODY_TOO_LARGE");
    String chunked =
        "POST /v1/stores HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
            + client.accessKey()
            + "\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + Integer.toHexString(limit + 1)
            + "\r\n"
            + " ".repeat(limit + 1)
            + "\r\n0\r\n\r\n";
    assertThat(RawHttp.exchange(api.port(), chunked))
        .startsWith("HTTP/1.1 413 ")
        .contains("BODY_TOO_LARGE");
    assertThat(api.rows()).isEqualTo(before);
  }

  /** S48. */
  @Tag("S48")
  @Test
  void a_nul_escape_is_refused_and_leaves_no_row_while_its_harmless_look_alike_passes()
      throws Exception {
    Rows before = api.rows();
    String body = newStoreBody();
    for (String bad :
        List.of(
            body.replace("A shop", "A\\u0000shop"),
            body.replace("\"k\"", "\"\\u0000\""),
            body.replace("app_key", "\\u0000"),
            body.replace("}}", "},\"x\\u0000\":1}"))) {
      client.post("/v1/stores", bad).expectProblem(400, "JSON_NUL_CHARACTER");
    }
    assertThat(api.rows()).isEqualTo(before);

    Reply reply = client.post("/v1/stores", body.replace("A shop", "A\\\\u0000shop")).expect(202);
    String path = "/v1/stores/" + storeId(reply.json());
    assertThat(client.get(path).expect(200).json().get("name").asText()).isEqualTo("A\\u0000shop");
  }

  /** S49. */
  @Tag("S49")
  @Test
  void deep_nesting_is_refused_without_a_crash() throws Exception {
    Rows before = api.rows();
    for (int depth : new int[] {65, 900, 100_000}) {
      client
          .post("/v1/stores", "[".repeat(depth) + "]".repeat(depth))
          .expectProblem(400, "JSON_TOO_DEEP");
    }
    client
        .post("/v1/stores", "{\"a\":".repeat(900) + "1" + "}".repeat(900))
        .expectProblem(400, "JSON_TOO_DEEP");
    assertThat(api.rows()).isEqualTo(before);
    client.post("/v1/stores", newStoreBody()).expect(202);
  }

  /** S42. */
  @Tag("S42")
  @Test
  void odd_bytes_in_a_key_are_refused() throws Exception {
    Rows before = api.rows();
    String body = newStoreBody();
    for (String key : List.of("a\tb", "\u00e9", "\u0080", "a\u00c3\u00a9", "\"\u00e9\"", "\t")) {
      String request =
          "POST /v1/stores HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer "
              + client.accessKey()
              + "\r\nIdempotency-Key: "
              + key
              + "\r\nContent-Type: application/json\r\nContent-Length: "
              + body.length()
              + "\r\n\r\n"
              + body;
      assertThat(RawHttp.exchange(api.port(), request))
          .startsWith("HTTP/1.1 400 ")
          .contains("IDEMPOTENCY_KEY_INVALID");
    }
    assertThat(api.rows()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET /v1/stores HTTP/1.1\r\nHost: x\r\nBad Header: x\r\n\r\n",
        "GET /v1/stores HTTP/1.1\r\n\r\n",
        "GET /v1/stores/%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v1/stores/a%2fb HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v1/stores/..%2f HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        "GET /v1/stores\u0000 HTTP/1.1\r\nHost: x\r\n\r\n",
        "NONSENSE\r\n\r\n",
        "POST /v1/stores HTTP/1.1\r\nHost: x\r\nContent-Length: a\r\n\r\n"
      })
  void malformed_http_gets_a_problem_of_the_same_form(String request) throws Exception {
    String answer = RawHttp.exchange(api.port(), request);

    assertThat(answer)
        .startsWith("HTTP/1.1 400 ")
        .containsIgnoringCase("content-type: application/problem+json")
        .containsIgnoringCase("x-request-id: ")
        .contains("\"code\":\"REQUEST_INVALID\"")
        .doesNotContain("jetty")
        .doesNotContain("\tat ");
  }

  @Test
  void too_large_headers_and_targets_get_a_problem_of_the_same_form() throws Exception {
    String large = "GET /v1/stores HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(20_000) + "\r\n\r\n";
    assertThat(RawHttp.exchange(api.port(), large))
        .startsWith("HTTP/1.1 431 ")
        .contains("HEADERS_TOO_LARGE");
    String longTarget = "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n";
    assertThat(RawHttp.exchange(api.port(), longTarget))
        .startsWith("HTTP/1.1 414 ")
        .contains("TARGET_TOO_LONG");
  }

  @Test
  void health_and_metrics_answer_on_the_same_port_without_a_key() {
    TestClient anonymous = new TestClient(api.port(), "");
    client.get("/v1/stores").expect(200);

    assertThat(anonymous.get("/health/live").expect(200).json().get("status").asText())
        .isEqualTo("UP");
    Reply ready = anonymous.get("/health/ready").expect(200);
    assertThat(ready.json().at("/checks/database/status").asText()).isEqualTo("UP");
    assertThat(anonymous.get("/metrics", "Accept", "text/plain").expect(200).body())
        .contains("onceward_api_requests_seconds_count{")
        .contains("route=\"/v1/stores\"")
        .contains("hikaricp_connections");
  }
}
