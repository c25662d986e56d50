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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
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
class OperationControlCallsTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private TestClient client;

  OperationControlCallsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
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

  @ParameterizedTest
  @ValueSource(strings = {"failed", "dead"})
  void a_retry_queues_the_operation_anew_under_a_new_event_with_the_same_words(String state)
      throws Exception {
    JsonNode before = newOperation(state);
    String id = before.get("id").asText();
    Map<String, Long> rows = api.allRows();

    Reply retried =
        client
            .send(
                "POST",
                "/v1/operations/" + id + "/retry",
                "{}",
                "Idempotency-Key",
                "k",
                "X-Request-Id",
                "the-retry")
            .expect(202);
    Reply again = client.post("/v1/operations/" + id + "/retry", "{}", "k").expect(202);

    JsonNode after = retried.json().get("operation");
    assertThat(retried.header("Location")).isEqualTo("/v1/operations/" + id);
    assertThat(after.get("state").asText()).isEqualTo("queued");
    assertThat(after.get("attempt").asInt()).isZero();
    assertThat(after.has("last_error")).isFalse();
    assertThat(after.has("finished_at")).isFalse();
    assertThat(after.get("event_id")).isNotEqualTo(before.get("event_id"));
    assertThat(client.get("/v1/operations/" + id).json()).isEqualTo(after);
    assertThat(again.body()).isEqualTo(retried.body());
    String words =
        "SELECT event_type || payload_version || aggregate_type || aggregate_id || resource_type ||"
            + " resource_id || business_key || payload FROM onceward.outbox_events WHERE id = '%s'";
    assertThat(api.text(words.formatted(after.get("event_id").asText())))
        .isEqualTo(api.text(words.formatted(before.get("event_id").asText())));
    assertThat(
            api.text(
                "SELECT request_id FROM onceward.outbox_events WHERE id = '%s'"
                    .formatted(after.get("event_id").asText())))
        .isEqualTo("the-retry");
    for (String table : List.of("operation_events", "outbox_events", "idempotency_requests")) {
      rows.merge(table, 1L, Long::sum);
    }
    assertThat(api.allRows()).isEqualTo(rows);
  }

  @Test
  void a_retry_after_the_outbox_has_forgotten_the_event_still_knows_its_words() throws Exception {
    JsonNode before = newOperation("failed");
    String payload =
        api.text(
            "SELECT payload FROM onceward.outbox_events WHERE id = '%s'"
                .formatted(before.get("event_id").asText()));
    forget(before);

    JsonNode after =
        client
            .post("/v1/operations/" + before.get("id").asText() + "/retry", "{}")
            .expect(202)
            .json()
            .get("operation");

    assertThat(
            api.text(
                "SELECT payload FROM onceward.outbox_events WHERE id = '%s'"
                    .formatted(after.get("event_id").asText())))
        .isEqualTo(payload);
  }

  @Test
  void an_operation_whose_event_is_gone_cannot_be_retried_and_says_so() throws Exception {
    JsonNode operation = newOperation("queued");
    forget(operation);
    api.setState(operation.get("id").asText(), "failed");
    Map<String, Long> rows = api.allRows();

    client
        .post("/v1/operations/" + operation.get("id").asText() + "/retry", "{}")
        .expectProblem(409, "OPERATION_EVENT_GONE");

    assertThat(api.allRows()).isEqualTo(rows);
    assertThat(
            client
                .get("/v1/operations/" + operation.get("id").asText())
                .json()
                .get("state")
                .asText())
        .isEqualTo("failed");
  }

  @ParameterizedTest
  @ValueSource(strings = {"queued", "running", "waiting_retry", "succeeded", "cancelled"})
  void only_a_failed_or_dead_operation_can_be_retried(String state) throws Exception {
    refuses(newOperation(state), "retry", "OPERATION_NOT_RETRIABLE", state);
  }

  @ParameterizedTest
  @ValueSource(strings = {"queued", "waiting_retry"})
  void a_cancelled_operation_is_final_and_cancelling_is_answered_once(String state)
      throws Exception {
    String id = newOperation(state).get("id").asText();
    Map<String, Long> rows = api.allRows();

    Reply cancelled = client.post("/v1/operations/" + id + "/cancel", "{}", "k").expect(200);
    Reply again = client.post("/v1/operations/" + id + "/cancel", "{}", "k").expect(200);

    JsonNode operation = cancelled.json().get("operation");
    assertThat(operation.get("state").asText()).isEqualTo("cancelled");
    assertThat(operation.has("finished_at")).isTrue();
    assertThat(operation.has("next_attempt_at")).isFalse();
    assertThat(again.body()).isEqualTo(cancelled.body());
    rows.merge("idempotency_requests", 1L, Long::sum);
    assertThat(api.allRows()).isEqualTo(rows);
    client
        .post("/v1/operations/" + id + "/cancel", "{}")
        .expectProblem(409, "OPERATION_NOT_CANCELLABLE");
  }

  @ParameterizedTest
  @ValueSource(strings = {"running", "succeeded", "failed", "dead", "cancelled"})
  void only_an_operation_that_nobody_has_in_hand_can_be_cancelled(String state) throws Exception {
    refuses(newOperation(state), "cancel", "OPERATION_NOT_CANCELLABLE", state);
  }

  @Test
  void of_twenty_retries_with_different_keys_exactly_one_queues() throws Exception {
    String path = "/v1/operations/" + newOperation("dead").get("id").asText() + "/retry";
    Map<String, Long> rows = api.allRows();
    List<CompletableFuture<Reply>> pending = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      pending.add(client.sendLater("POST", path, "{}", "Idempotency-Key", "key-" + i));
    }

    List<String> answers =
        pending.stream()
            .map(CompletableFuture::join)
            .map(reply -> reply.status() + " " + reply.code())
            .toList();

    assertThat(answers).filteredOn(answer -> answer.equals("202 ")).hasSize(1);
    assertThat(answers)
        .filteredOn(answer -> answer.equals("409 OPERATION_NOT_RETRIABLE"))
        .hasSize(19);
    for (String table : List.of("operation_events", "outbox_events", "idempotency_requests")) {
      rows.merge(table, 1L, Long::sum);
    }
    assertThat(api.allRows()).isEqualTo(rows);
  }

  @Test
  void an_unknown_a_foreign_and_a_malformed_id_get_the_same_answer() throws Exception {
    String foreign =
        operationId(api.newClient().post("/v1/stores", newStoreBody()).expect(202).json());
    api.setState(foreign, "failed");
    List<String> answers = new ArrayList<>();
    for (String id : List.of(foreign, UUID.randomUUID().toString(), "42")) {
      for (String verb : List.of("retry", "cancel")) {
        Reply reply =
            client
                .send(
                    "POST",
                    "/v1/operations/" + id + "/" + verb,
                    "{}",
                    "Idempotency-Key",
                    "k",
                    "X-Request-Id",
                    "r")
                .expectProblem(404, "NOT_FOUND");
        Map<String, List<String>> headers = new TreeMap<>(reply.response().headers().map());
        headers.remove("date");
        answers.add(headers + reply.body());
      }
    }
    assertThat(answers.stream().distinct()).hasSize(1);
  }

  @Test
  void the_body_takes_no_members() throws Exception {
    String id = newOperation("failed").get("id").asText();
    Map<String, Long> rows = api.allRows();

    client.post("/v1/operations/" + id + "/retry", "{\"x\":1}").expectProblem(400, "FIELD_UNKNOWN");
    client.post("/v1/operations/" + id + "/cancel", "[]").expectProblem(400, "FIELD_INVALID");

    assertThat(api.allRows()).isEqualTo(rows);
  }

  private void refuses(JsonNode operation, String verb, String code, String state)
      throws SQLException {
    String id = operation.get("id").asText();
    Map<String, Long> rows = api.allRows();

    client.post("/v1/operations/" + id + "/" + verb, "{}").expectProblem(409, code);

    assertThat(api.allRows()).isEqualTo(rows);
    assertThat(client.get("/v1/operations/" + id).json().get("state").asText()).isEqualTo(state);
  }

  private JsonNode newOperation(String state) throws SQLException {
    String id = operationId(client.post("/v1/stores", newStoreBody()).expect(202).json());
    api.setState(id, state);
    return client.get("/v1/operations/" + id).expect(200).json();
  }

  private void forget(JsonNode operation) throws SQLException {
    api.sql(
        "DELETE FROM onceward.outbox_events WHERE id = '%s'"
            .formatted(operation.get("event_id").asText()));
  }
}
