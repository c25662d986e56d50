package dev.onceward.api.sync;

import static dev.onceward.api.TestApi.newStore;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.sync.ProductStore;
import dev.onceward.db.sync.ReadProduct;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class SyncCallsTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private Tenant tenant;
  private TestClient client;
  private String storeId;

  SyncCallsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    tenant = database.newTenant();
    client = api.client(tenant);
    storeId = newStore(client);
  }

  @BeforeEach
  void newWorkspace() throws SQLException {
    tenant = database.newTenant();
    client = api.client(tenant);
    storeId = newStore(client);
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void a_sync_is_one_row_one_operation_one_event_and_one_answer() throws Exception {
    Map<String, Long> before = api.allRows();

    Reply first = client.post(path(), "{}", "k").expect(202);
    Reply again = client.post(path(), "{}", "k").expect(202);
    client.post(path(), "{\"x\":1}", "k").expectProblem(409, "IDEMPOTENCY_KEY_REUSED");

    assertThat(again.body()).isEqualTo(first.body());
    JsonNode sync = first.json().get("product_sync");
    assertThat(first.json().at("/operation/kind").asText()).isEqualTo("sync_products");
    assertThat(first.json().at("/operation/subject_id").asText()).isEqualTo(storeId);
    assertThat(client.get("/v1/product-syncs/" + sync.get("id").asText()).expect(200).json())
        .isEqualTo(sync);
    assertThat(
            api.text(
                "SELECT event_type || ' ' || aggregate_id || ' ' || payload FROM"
                    + " onceward.outbox_events WHERE id = '"
                    + first.json().at("/operation/event_id").asText()
                    + "'"))
        .isEqualTo(
            "product.sync_requested %s {\"product_sync_id\":\"%s\",\"store_id\":\"%s\"}"
                .formatted(storeId, sync.get("id").asText(), storeId));
    for (String table :
        List.of(
            "product_syncs",
            "operations",
            "operation_events",
            "outbox_events",
            "idempotency_requests")) {
      before.merge(table, 1L, Long::sum);
    }
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void one_sync_is_active_per_store_and_a_finished_one_makes_room() throws Exception {
    Reply first = client.post(path(), "{}").expect(202);
    for (String active : List.of("queued", "running", "waiting_retry")) {
      setState(first, active);
      Map<String, Long> before = api.allRows();
      client.post(path(), "{}").expectProblem(409, "SYNC_ALREADY_ACTIVE");
      assertThat(api.allRows()).isEqualTo(before);
    }
    client.post("/v1/stores/" + newStore(client) + "/product-syncs", "{}").expect(202);
    for (String over : List.of("succeeded", "dead", "cancelled")) {
      setState(first, over);
      setState(client.post(path(), "{}").expect(202), "failed");
    }
    setState(first, "failed");
    client.post(path(), "{}").expect(202);
    client
        .post("/v1/operations/" + TestApi.operationId(first.json()) + "/retry", "{}")
        .expectProblem(409, "SYNC_ALREADY_ACTIVE");
  }

  @Test
  void syncs_are_listed_by_store() {
    client.post(path(), "{}").expect(202);
    String other = newStore(client);

    assertThat(client.get("/v1/product-syncs?store_id=" + storeId).json().get("items")).hasSize(1);
    assertThat(client.get("/v1/product-syncs?store_id=" + other).json().get("items")).isEmpty();
    client.get("/v1/product-syncs?store_id=x").expectProblem(400, "PARAMETER_INVALID");
  }

  @Test
  void the_products_of_a_store_are_read_page_by_page_by_its_workspace_alone() throws Exception {
    List<String> written = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      String externalId = "p" + i;
      written.add(0, externalId);
      database
          .app()
          .runInWorkspace(
              tenant.workspaceId(),
              connection ->
                  ProductStore.write(
                      connection,
                      UUID.fromString(storeId),
                      UUID.randomUUID(),
                      List.of(new ReadProduct(externalId, "Product", "1.00"))));
    }
    String path = "/v1/stores/" + storeId + "/products";

    List<String> seen = new ArrayList<>();
    JsonNode page = client.get(path + "?limit=2").expect(200).json();
    page.get("items").forEach(item -> seen.add(item.get("external_id").asText()));
    page = client.get(path + "?limit=2&after=" + page.get("next").asText()).expect(200).json();
    page.get("items").forEach(item -> seen.add(item.get("external_id").asText()));

    assertThat(seen).isEqualTo(written);
    assertThat(page.has("next")).isFalse();
    api.newClient().get(path).expectProblem(404, "NOT_FOUND");
  }

  @Test
  void what_another_workspace_has_is_unknown() throws Exception {
    String id = client.post(path(), "{}").expect(202).json().at("/product_sync/id").asText();
    TestClient stranger = api.newClient();
    Map<String, Long> before = api.allRows();

    stranger.get("/v1/product-syncs/" + id).expectProblem(404, "NOT_FOUND");
    stranger.post(path(), "{}").expectProblem(404, "NOT_FOUND");
    stranger
        .post("/v1/stores/" + UUID.randomUUID() + "/product-syncs", "{}")
        .expectProblem(404, "NOT_FOUND");

    assertThat(api.allRows()).isEqualTo(before);
  }

  private String path() {
    return "/v1/stores/" + storeId + "/product-syncs";
  }

  private void setState(Reply accepted, String state) throws SQLException {
    api.setState(TestApi.operationId(accepted.json()), state);
  }
}
