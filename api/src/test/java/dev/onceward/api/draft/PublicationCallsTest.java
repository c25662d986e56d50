package dev.onceward.api.draft;

import static dev.onceward.api.TestApi.newStore;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PublicationCallsTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private TestClient client;
  private String storeId;
  private String draftId;

  PublicationCallsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    client = api.newClient();
    storeId = newStore(client);
    draftId = newDraft();
  }

  @BeforeEach
  void newWorkspace() throws SQLException {
    client = api.newClient();
    storeId = newStore(client);
    draftId = newDraft();
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void a_publication_is_one_row_one_operation_one_event_and_one_answer() throws Exception {
    Map<String, Long> before = api.allRows();

    Reply first = client.post(path(), "{}", "k").expect(202);
    Reply again = client.post(path(), " { } ", "k").expect(202);
    client.post(path(), "{\"x\":1}", "k").expectProblem(409, "IDEMPOTENCY_KEY_REUSED");

    assertThat(again.body()).isEqualTo(first.body());
    assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    JsonNode operation = first.json().get("operation");
    JsonNode publication = first.json().get("publication");
    assertThat(first.header("Location"))
        .isEqualTo("/v1/operations/" + operation.get("id").asText());
    assertThat(operation.get("kind").asText()).isEqualTo("publish_listing");
    assertThat(operation.get("subject_type").asText()).isEqualTo("draft");
    assertThat(operation.get("subject_id").asText()).isEqualTo(draftId);
    assertThat(publication.get("operation_id").asText()).isEqualTo(operation.get("id").asText());
    assertThat(publication.get("state").asText()).isEqualTo("queued");
    assertThat(client.get("/v1/publications/" + publication.get("id").asText()).json())
        .isEqualTo(publication);
    for (String table :
        List.of(
            "publications",
            "operations",
            "operation_events",
            "outbox_events",
            "idempotency_requests")) {
      before.merge(table, 1L, Long::sum);
    }
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void the_event_names_ids_and_the_revision_and_the_publication_keeps_the_content()
      throws Exception {
    JsonNode accepted = client.post(path(), "{}").expect(202).json();
    client
        .send(
            "PUT",
            "/v1/drafts/" + draftId,
            "{\"store_id\":\"" + storeId + "\",\"title\":\"changed\"}",
            "If-Match",
            "\"1\"")
        .expect(200);

    String publicationId = accepted.at("/publication/id").asText();
    JsonNode publication = client.get("/v1/publications/" + publicationId).expect(200).json();
    assertThat(publication.get("title").asText()).isEqualTo("A thing");
    assertThat(publication.get("draft_revision").asInt()).isEqualTo(1);
    assertThat(
            api.text(
                "SELECT event_type || ' ' || aggregate_type || ' ' || payload FROM"
                    + " onceward.outbox_events WHERE id = '"
                    + accepted.at("/operation/event_id").asText()
                    + "'"))
        .isEqualTo(
            "listing.publish_requested listing"
                + " {\"publication_id\":\"%s\",\"draft_id\":\"%s\",\"draft_revision\":1,\"store_id\":\"%s\"}"
                    .formatted(publicationId, draftId, storeId));
  }

  @ParameterizedTest
  @ValueSource(strings = {"queued", "running", "waiting_retry", "succeeded"})
  void an_active_or_succeeded_publication_excludes_a_second_one(String state) throws Exception {
    setState(client.post(path(), "{}").expect(202), state);
    Map<String, Long> before = api.allRows();

    client.post(path(), "{}").expectProblem(409, "PUBLICATION_EXISTS");

    assertThat(api.allRows()).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"failed", "dead", "cancelled"})
  void a_publication_that_came_to_nothing_makes_room_for_another(String state) throws Exception {
    Reply first = client.post(path(), "{}").expect(202);
    setState(first, state);

    client.post(path(), "{}").expect(202);

    JsonNode page = client.get("/v1/publications?draft_id=" + draftId).expect(200).json();
    assertThat(page.get("items")).hasSize(2);
    assertThat(page.at("/items/1/state").asText()).isEqualTo(state);
    assertThat(client.get("/v1/publications?draft_id=" + newDraft()).json().get("items")).isEmpty();
  }

  @Test
  void a_failed_publication_cannot_be_retried_beside_a_newer_one() throws Exception {
    Reply first = client.post(path(), "{}").expect(202);
    setState(first, "failed");
    Reply second = client.post(path(), "{}").expect(202);
    Map<String, Long> before = api.allRows();

    retry(first).expectProblem(409, "PUBLICATION_EXISTS");

    assertThat(api.allRows()).isEqualTo(before);
    setState(second, "failed");
    retry(first).expect(202);
    retry(second).expectProblem(409, "PUBLICATION_EXISTS");
  }

  @Test
  void of_twenty_requests_with_different_keys_exactly_one_publishes() {
    List<CompletableFuture<Reply>> pending = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      pending.add(client.sendLater("POST", path(), "{}", "Idempotency-Key", "key-" + i));
    }

    List<String> answers =
        pending.stream()
            .map(CompletableFuture::join)
            .map(reply -> reply.status() + " " + reply.code())
            .toList();

    assertThat(answers).filteredOn(answer -> answer.equals("202 ")).hasSize(1);
    assertThat(answers).filteredOn(answer -> answer.equals("409 PUBLICATION_EXISTS")).hasSize(19);
  }

  @Test
  void publications_of_another_workspace_are_unknown() throws Exception {
    String id = client.post(path(), "{}").expect(202).json().at("/publication/id").asText();
    TestClient stranger = api.newClient();

    stranger.get("/v1/publications/" + id).expectProblem(404, "NOT_FOUND");
    stranger.get("/v1/publications/" + UUID.randomUUID()).expectProblem(404, "NOT_FOUND");
    assertThat(stranger.get("/v1/publications?draft_id=" + draftId).json().get("items")).isEmpty();
  }

  private String path() {
    return "/v1/drafts/" + draftId + "/publications";
  }

  private Reply retry(Reply accepted) {
    return client.post("/v1/operations/" + TestApi.operationId(accepted.json()) + "/retry", "{}");
  }

  private void setState(Reply accepted, String state) throws SQLException {
    api.setState(TestApi.operationId(accepted.json()), state);
  }

  private String newDraft() {
    return client
        .send(
            "POST",
            "/v1/drafts",
            "{\"store_id\":\"" + storeId + "\",\"title\":\"A thing\",\"price\":\"1.00\"}")
        .expect(201)
        .json()
        .get("id")
        .asText();
  }
}
