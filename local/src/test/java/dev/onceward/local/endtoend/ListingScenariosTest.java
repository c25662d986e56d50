package dev.onceward.local.endtoend;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.local.client.ApiAnswer;
import dev.onceward.local.client.ApiClient;
import dev.onceward.local.cluster.LocalCluster;
import dev.onceward.local.platform.PlatformBehaviour;
import dev.onceward.local.platform.PlatformCall;
import dev.onceward.local.platform.PlatformCall.Fate;
import dev.onceward.local.platform.PlatformLedger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Drafts, publications, product syncs and AI tasks, through the whole pipeline. */
@ExtendWith(ClusterExtension.class)
final class ListingScenariosTest {

  private static final Duration ANSWER_LIMIT = Duration.ofSeconds(30);
  private static final Duration PIPELINE_LIMIT = Duration.ofMinutes(3);

  private final String name = "listing-" + UUID.randomUUID();
  private LocalCluster cluster;
  private ApiClient client;
  private PlatformLedger ledger;

  @BeforeEach
  void connect(LocalCluster shared) {
    cluster = shared;
    client = new ApiClient(cluster.apiUrl(), cluster.access().accessKey(), ANSWER_LIMIT);
    ledger = cluster.platform().ledger();
  }

  @Test
  void a_draft_is_published_once_whatever_the_client_repeats() throws Exception {
    String path = "/v1/drafts/" + newDraft(newStore(name)) + "/publications";

    ApiAnswer first = client.post(path, name, "{}");
    ApiAnswer again = client.post(path, name, "{}");
    ApiAnswer other = client.post(path, name, "{\"x\":1}");
    awaitState(first, "succeeded");
    ApiAnswer second = client.post(path, name + "-second", "{}");

    assertThat(first.status()).as("%s", first.text()).isEqualTo(202);
    assertThat(again.text()).isEqualTo(first.text());
    assertThat(again.replayed()).isTrue();
    assertThat(other.problemCode()).isEqualTo("IDEMPOTENCY_KEY_REUSED");
    assertThat(second.problemCode()).isEqualTo("PUBLICATION_EXISTS");
    JsonNode publication =
        client.get("/v1/publications/" + first.json().at("/publication/id").asText()).json();
    assertThat(publication.path("state").asText()).isEqualTo("succeeded");
    assertThat(publication.path("listing_id").asText()).startsWith("listing-");
    assertThat(publication.path("draft_revision").asInt()).isEqualTo(1);
    hadOneCallAndOneEffect(first);
  }

  @Test
  void all_products_of_a_store_are_read_page_by_page() throws Exception {
    String store = "/v1/stores/" + newStore(name + "-p230");

    ApiAnswer first = client.post(store + "/product-syncs", name, "{}");
    ApiAnswer again = client.post(store + "/product-syncs", name, "{}");
    awaitState(first, "succeeded");

    assertThat(again.text()).isEqualTo(first.text());
    JsonNode sync =
        client.get("/v1/product-syncs/" + first.json().at("/product_sync/id").asText()).json();
    assertThat(sync.path("product_count").asInt()).isEqualTo(230);
    List<String> products = new ArrayList<>();
    String query = "?limit=200";
    while (!query.isEmpty()) {
      JsonNode page = client.get(store + "/products" + query).json();
      page.path("items").forEach(item -> products.add(item.path("external_id").asText()));
      query = page.has("next") ? "?limit=200&after=" + page.path("next").asText() : "";
    }
    assertThat(products).hasSize(230).doesNotHaveDuplicates();
    assertThat(ledger.calls(eventId(first))).hasSize(3);
    awaitState(client.post(store + "/product-syncs", name + "-second", "{}"), "succeeded");
  }

  @Test
  void an_ai_task_of_each_kind_calls_the_platform_once() throws Exception {
    for (String kind : List.of("text", "category", "image")) {
      String body = "{\"kind\":\"%s\",\"input\":{\"prompt\":\"%s\"}}".formatted(kind, name);
      ApiAnswer first = client.post("/v1/ai-tasks", name + kind, body);
      ApiAnswer again = client.post("/v1/ai-tasks", name + kind, body);
      awaitState(first, "succeeded");

      assertThat(again.text()).isEqualTo(first.text());
      JsonNode task = client.get("/v1/ai-tasks/" + first.json().at("/ai_task/id").asText()).json();
      assertThat(task.path("output").path(kind).asText()).isNotEmpty();
      hadOneCallAndOneEffect(first);
    }
  }

  @Test
  void a_failed_publication_is_retried_when_its_cause_is_mended() throws Exception {
    String storeId = newStore(name);
    replaceCredentials(storeId, "invalid");
    ApiAnswer failed = client.post("/v1/drafts/" + newDraft(storeId) + "/publications", name, "{}");
    awaitState(failed, "failed");
    replaceCredentials(storeId, "mended");
    String path = "/v1/operations/" + failed.operationId() + "/retry";

    ApiAnswer retried = client.post(path, name, "{}");
    ApiAnswer again = client.post(path, name, "{}");
    awaitState(retried, "succeeded");

    assertThat(retried.status()).as("%s", retried.text()).isEqualTo(202);
    assertThat(again.text()).isEqualTo(retried.text());
    assertThat(retried.operationId()).isEqualTo(failed.operationId());
    assertThat(eventId(retried)).isNotEqualTo(eventId(failed));
    assertThat(ledger.calls(eventId(failed)))
        .extracting(PlatformCall::fate)
        .containsExactly(Fate.REJECTED);
    hadOneCallAndOneEffect(retried);
    assertThat(client.post(path, name + "-late", "{}").problemCode())
        .isEqualTo("OPERATION_NOT_RETRIABLE");
  }

  @Test
  void a_waiting_task_that_is_cancelled_never_has_an_effect() throws Exception {
    String path = "/v1/drafts/" + newDraft(newStore(name)) + "/publications";
    cluster.platform().behave(PlatformBehaviour.NORMAL.withFailures(1.0, 503));
    ApiAnswer first = client.post(path, name, "{}");
    awaitState(first, "waiting_retry");
    String cancel = "/v1/operations/" + first.operationId() + "/cancel";
    // A worker may have it in hand just then: who comes first wins.
    ApiAnswer cancelled =
        await()
            .atMost(PIPELINE_LIMIT)
            .until(
                () -> client.post(cancel, UUID.randomUUID().toString(), "{}"),
                answer -> answer.status() == 200);
    cluster.platform().behave(PlatformBehaviour.NORMAL);

    ApiAnswer second = client.post(path, name + "-second", "{}");
    awaitState(second, "succeeded");

    assertThat(cancelled.json().at("/operation/state").asText()).isEqualTo("cancelled");
    assertThat(state(first)).isEqualTo("cancelled");
    assertThat(ledger.effects(eventId(first))).isZero();
    hadOneCallAndOneEffect(second);
  }

  private void hadOneCallAndOneEffect(ApiAnswer accepted) {
    assertThat(ledger.calls(eventId(accepted))).hasSize(1);
    assertThat(ledger.effects(eventId(accepted))).isOne();
  }

  private String newStore(String externalId) throws Exception {
    ApiAnswer created = client.createStore(externalId, externalId);
    assertThat(created.status()).as("%s", created.text()).isEqualTo(202);
    return created.json().at("/store/id").asText();
  }

  private void replaceCredentials(String storeId, String value) throws Exception {
    ApiAnswer replaced =
        client.put(
            "/v1/stores/" + storeId + "/credentials",
            name + value,
            "{\"credentials\":{\"app_secret\":\"" + value + "\"}}");
    assertThat(replaced.status()).as("%s", replaced.text()).isEqualTo(202);
  }

  private String newDraft(String storeId) throws Exception {
    ApiAnswer created =
        client.post(
            "/v1/drafts",
            name,
            "{\"store_id\":\"%s\",\"title\":\"%s\",\"price\":\"10.50\"}".formatted(storeId, name));
    assertThat(created.status()).as("%s", created.text()).isEqualTo(201);
    return created.json().path("id").asText();
  }

  private void awaitState(ApiAnswer accepted, String state) {
    await().atMost(PIPELINE_LIMIT).until(() -> state(accepted).equals(state));
  }

  private String state(ApiAnswer accepted) throws Exception {
    return client.get("/v1/operations/" + accepted.operationId()).json().path("state").asText();
  }

  private static String eventId(ApiAnswer accepted) {
    return accepted.json().at("/operation/event_id").asText();
  }
}
