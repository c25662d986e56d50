package dev.onceward.api.store;

import static dev.onceward.api.TestApi.newStoreBody;
import static dev.onceward.api.TestApi.storeBody;
import static dev.onceward.api.TestApi.storeId;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestApi.Rows;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.secret.CredentialCipher;
import dev.onceward.db.store.StoreAuthorizationStore;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class StoreCallsTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private Tenant tenant;
  private TestClient client;

  StoreCallsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    tenant = database.newTenant();
    client = api.client(tenant);
  }

  @BeforeEach
  void newWorkspace() throws SQLException {
    tenant = database.newTenant();
    client = api.client(tenant);
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void a_created_store_is_pending_and_shows_no_credentials() {
    Reply created = client.post("/v1/stores", storeBody("shop-42")).expect(202);

    JsonNode store = client.get("/v1/stores/" + storeId(created.json())).expect(200).json();

    assertThat(store).isEqualTo(created.json().get("store"));
    assertThat(store.get("external_id").asText()).isEqualTo("shop-42");
    assertThat(store.get("credential_version").asInt()).isEqualTo(1);
    assertThat(store.get("verification").asText()).isEqualTo("pending");
    assertThat(created.body()).doesNotContain("app_secret").doesNotContain("\"credentials\"");
  }

  @Test
  void the_event_names_store_and_version_and_carries_the_ids_of_the_request() throws Exception {
    String traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    JsonNode created =
        client
            .send(
                "POST",
                "/v1/stores",
                storeBody("shop-7"),
                "Idempotency-Key",
                "k",
                "X-Request-Id",
                "request-7",
                "X-Correlation-Id",
                "undertaking-7",
                "traceparent",
                traceparent)
            .expect(202)
            .json();

    Event event = event(created.at("/operation/event_id").asText());
    assertThat(event)
        .isEqualTo(
            new Event(
                "store.credentials_submitted",
                "store",
                storeId(created),
                "shop-7",
                "request-7",
                "undertaking-7",
                traceparent,
                "{\"store_id\":\"" + storeId(created) + "\",\"credential_version\":1}"));
    assertThat(created.at("/operation/kind").asText()).isEqualTo("verify_store_credentials");
  }

  @Test
  void credentials_are_stored_encrypted_and_readable_with_the_key() throws Exception {
    String id = storeId(client.post("/v1/stores", newStoreBody()).expect(202).json());
    CredentialCipher cipher =
        new CredentialCipher(Map.of("c", Base64.getDecoder().decode(TestApi.key('c'))));

    String credentials =
        database
            .app()
            .inWorkspace(
                tenant.workspaceId(),
                connection ->
                    new StoreAuthorizationStore(cipher)
                        .readCredentials(connection, UUID.fromString(id)))
            .orElseThrow()
            .credentials();

    assertThat(credentials).isEqualTo("{\"app_key\":\"k\",\"app_secret\":\"s\"}");
  }

  @Test
  void a_second_store_with_the_same_platform_and_external_id_is_refused() throws Exception {
    client.post("/v1/stores", storeBody("twin")).expect(202);
    Rows before = api.rows();

    client.post("/v1/stores", storeBody("twin")).expectProblem(409, "STORE_EXISTS");

    assertThat(api.rows()).isEqualTo(before);
    api.newClient().post("/v1/stores", storeBody("twin")).expect(202);
    client.post("/v1/stores", storeBody("twin").replace("shopline", "other")).expect(202);
  }

  @Test
  void replaced_credentials_are_the_next_version_and_verified_anew() throws Exception {
    String id = storeId(client.post("/v1/stores", newStoreBody()).expect(202).json());
    api.sql(
        "UPDATE onceward.stores SET verification = 'verified', verified_at = now() WHERE id = '"
            + id
            + "'");

    Reply reply =
        client
            .send(
                "PUT",
                "/v1/stores/" + id + "/credentials",
                "{\"credentials\":{\"token\":\"t\"}}",
                "Idempotency-Key",
                "k")
            .expect(202);

    assertThat(reply.json().at("/store/credential_version").asInt()).isEqualTo(2);
    assertThat(reply.json().at("/store/verification").asText()).isEqualTo("pending");
    assertThat(reply.json().at("/store/verified_at").isMissingNode()).isTrue();
    assertThat(event(reply.json().at("/operation/event_id").asText()).payload())
        .isEqualTo("{\"store_id\":\"" + id + "\",\"credential_version\":2}");
  }

  @Test
  void a_store_can_be_verified_again_each_time_with_an_operation_of_its_own() throws Exception {
    String id = storeId(client.post("/v1/stores", newStoreBody()).expect(202).json());
    String path = "/v1/stores/" + id + "/credential-verifications";
    Rows before = api.rows();

    JsonNode first = client.post(path, "{}").expect(202).json();
    JsonNode second = client.post(path, "{}").expect(202).json();

    assertThat(TestApi.operationId(first)).isNotEqualTo(TestApi.operationId(second));
    assertThat(event(first.at("/operation/event_id").asText()).type())
        .isEqualTo("store.verification_requested");
    assertThat(api.rows()).isEqualTo(before.plus(0, 2, 2, 2));
  }

  @Test
  void an_unknown_a_foreign_and_a_malformed_id_get_the_same_answer() throws Exception {
    String foreign = storeId(api.newClient().post("/v1/stores", newStoreBody()).expect(202).json());
    Rows before = api.rows();
    String unknown = UUID.randomUUID().toString();
    List<String> answers = new ArrayList<>();
    for (String id :
        List.of(unknown, foreign, "42", foreign.toUpperCase(java.util.Locale.ROOT), "%20")) {
      String path = "/v1/stores/" + id;
      for (Reply reply :
          List.of(
              client.get(path, "X-Request-Id", "r"),
              client.send(
                  "PUT",
                  path + "/credentials",
                  "{\"credentials\":{\"a\":\"b\"}}",
                  "Idempotency-Key",
                  "k",
                  "X-Request-Id",
                  "r"),
              client.send(
                  "POST",
                  path + "/credential-verifications",
                  "{}",
                  "Idempotency-Key",
                  "k",
                  "X-Request-Id",
                  "r"))) {
        reply.expectProblem(404, "NOT_FOUND");
        Map<String, List<String>> headers =
            new java.util.TreeMap<>(reply.response().headers().map());
        headers.remove("date");
        answers.add(headers + reply.body());
      }
    }
    assertThat(answers.stream().distinct()).hasSize(1);
    assertThat(api.rows()).isEqualTo(before);
  }

  @Test
  void the_list_pages_from_the_newest_and_shows_one_workspace() throws Exception {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      ids.add(0, storeId(client.post("/v1/stores", newStoreBody()).expect(202).json()));
    }
    api.newClient().post("/v1/stores", newStoreBody()).expect(202);

    List<String> seen = new ArrayList<>();
    String after = "";
    int pages = 0;
    while (after != null) {
      JsonNode page = client.get("/v1/stores?limit=2" + after).expect(200).json();
      page.get("items").forEach(item -> seen.add(item.get("id").asText()));
      after = page.has("next") ? "&after=" + page.get("next").asText() : null;
      pages++;
    }

    assertThat(seen).isEqualTo(ids);
    assertThat(pages).isEqualTo(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                                                      | FIELD_INVALID  |",
        "{}                                                      | FIELD_REQUIRED | /platform",
        "{'platform':1}                                          | FIELD_INVALID  | /platform",
        "{'platform':null}                                       | FIELD_INVALID  | /platform",
        "{'platform':''}                                         | FIELD_INVALID  | /platform",
        "{'platform':'Shopline'}                                 | FIELD_INVALID  | /platform",
        "{'platform':'p','external_id':' '}                      | FIELD_INVALID  | /external_id",
        "{'platform':'p','external_id':'a\\nb'}                  | FIELD_INVALID  | /external_id",
        "{'platform':'p','external_id':'https://u:word@shop'}    | SECRET_REFUSED | /external_id",
        "{'platform':'p','external_id':'x'}                      | FIELD_REQUIRED | /name",
        "{'platform':'p','external_id':'x','name':'AKIAABCDEFGHIJKLMNOP'}       | SECRET_REFUSED | /name",
        "{'platform':'p','external_id':'x','name':'n'}           | FIELD_REQUIRED | /credentials",
        "{'platform':'p','external_id':'x','name':'n','credentials':{}}         | FIELD_INVALID | /credentials",
        "{'platform':'p','external_id':'x','name':'n','credentials':{'a':1}}    | FIELD_INVALID | /credentials/a",
        "{'platform':'p','external_id':'x','name':'n','credentials':{'a':''}}   | FIELD_INVALID | /credentials/a",
        "{'platform':'p','external_id':'x','name':'n','credentials':{'a b':'c'}} | FIELD_INVALID | /credentials/a b",
        "{'platform':'p','external_id':'x','name':'n','credentials':{'a':'b'},'x':1} | FIELD_UNKNOWN | /x",
      })
  void a_bad_field_is_named(String body, String code, String field) throws Exception {
    Rows before = api.rows();

    Reply reply = client.post("/v1/stores", body.replace('\'', '"')).expectProblem(400, code);

    assertThat(reply.json().path("field").asText()).isEqualTo(field == null ? "" : field);
    assertThat(api.rows()).isEqualTo(before);
  }

  @Test
  void the_longest_texts_fit_and_one_character_more_is_refused() {
    // A character beyond the first plane is one character.
    String longest = "😀".repeat(200);
    client.post("/v1/stores", storeBody(longest).replace("A shop", longest)).expect(202);

    client.post("/v1/stores", storeBody(longest + "x")).expectProblem(400, "FIELD_INVALID");
    client
        .post("/v1/stores", newStoreBody().replace("shopline", "p".repeat(61)))
        .expectProblem(400, "FIELD_INVALID");
    client.post("/v1/stores", newStoreBody().replace("shopline", "p".repeat(60))).expect(202);
  }

  private record Event(
      String type,
      String aggregateType,
      String aggregateId,
      String businessKey,
      String requestId,
      String correlationId,
      String traceparent,
      String payload) {}

  private Event event(String id) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT event_type, aggregate_type, aggregate_id, business_key, request_id,"
                    + " correlation_id, traceparent, payload FROM onceward.outbox_events WHERE id = '"
                    + id
                    + "'")) {
      row.next();
      return new Event(
          row.getString(1),
          row.getString(2),
          row.getString(3),
          row.getString(4),
          row.getString(5),
          row.getString(6),
          row.getString(7),
          row.getString(8));
    }
  }
}
