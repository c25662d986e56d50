package dev.onceward.api.ai;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class AiTaskCallsTest {
  private static final String BODY =
      "{\"kind\":\"text\",\"input\":{\"prompt\":\"a title\",\"n\":1.0}}";

  private final MigratedDatabase database;
  private final TestApi api;
  private TestClient client;

  AiTaskCallsTest(PostgresServer server) throws SQLException {
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

  @Test
  void a_task_is_one_row_one_operation_one_event_and_one_answer() throws Exception {
    Map<String, Long> before = api.allRows();

    Reply first = client.post("/v1/ai-tasks", BODY, "k").expect(202);
    Reply again = client.post("/v1/ai-tasks", BODY, "k").expect(202);
    client
        .post("/v1/ai-tasks", BODY.replace("1.0", "1"), "k")
        .expectProblem(409, "IDEMPOTENCY_KEY_REUSED");

    assertThat(again.body()).isEqualTo(first.body());
    JsonNode task = first.json().get("ai_task");
    assertThat(first.json().at("/operation/kind").asText()).isEqualTo("run_ai_task");
    assertThat(task.get("state").asText()).isEqualTo("queued");
    assertThat(first.body()).contains("\"n\":1.0");
    Reply read = client.get("/v1/ai-tasks/" + task.get("id").asText()).expect(200);
    assertThat(read.json()).isEqualTo(task);
    assertThat(
            api.text(
                "SELECT event_type || ' ' || payload FROM onceward.outbox_events WHERE id = '"
                    + first.json().at("/operation/event_id").asText()
                    + "'"))
        .isEqualTo("ai.task_requested {\"ai_task_id\":\"" + task.get("id").asText() + "\"}");
    for (String table :
        List.of(
            "ai_tasks",
            "operations",
            "operation_events",
            "outbox_events",
            "idempotency_requests")) {
      before.merge(table, 1L, Long::sum);
    }
    assertThat(api.allRows()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{}                                       | FIELD_REQUIRED | /kind",
        "{'kind':'video','input':{'a':1}}         | FIELD_INVALID  | /kind",
        "{'kind':1,'input':{'a':1}}               | FIELD_INVALID  | /kind",
        "{'kind':'text'}                          | FIELD_REQUIRED | /input",
        "{'kind':'text','input':[]}               | FIELD_INVALID  | /input",
        "{'kind':'text','input':{}}               | FIELD_INVALID  | /input",
        "{'kind':'text','input':{'a':1},'x':1}    | FIELD_UNKNOWN  | /x",
        "{'kind':'text','input':{'api_key':'abc'}}                   | SECRET_REFUSED |",
        "{'kind':'image','input':{'u':'https://e.example/a?sig=abc'}} | SECRET_REFUSED |",
      })
  void a_bad_field_is_named_and_leaves_no_row(String body, String code, String field)
      throws Exception {
    Map<String, Long> before = api.allRows();

    Reply reply = client.post("/v1/ai-tasks", body.replace('\'', '"')).expectProblem(400, code);

    assertThat(reply.json().path("field").asText()).isEqualTo(field == null ? "" : field);
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void the_largest_input_fits_and_one_byte_more_is_refused() throws Exception {
    String longest = "x".repeat(64 * 1024 - "{\"prompt\":\"\"}".length());
    String body = "{\"kind\":\"text\",\"input\":{\"prompt\":\"%s\"}}";
    client.post("/v1/ai-tasks", body.formatted(longest)).expect(202);
    Map<String, Long> before = api.allRows();

    Reply refused =
        client
            .post("/v1/ai-tasks", body.formatted(longest + "x"))
            .expectProblem(400, "FIELD_INVALID");

    assertThat(refused.json().get("field").asText()).isEqualTo("/input");
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void tasks_are_listed_by_kind_and_seen_by_their_workspace_alone() throws Exception {
    String id = client.post("/v1/ai-tasks", BODY).expect(202).json().at("/ai_task/id").asText();
    client.post("/v1/ai-tasks", BODY.replace("text", "image")).expect(202);
    TestClient stranger = api.newClient();

    assertThat(client.get("/v1/ai-tasks").json().get("items")).hasSize(2);
    assertThat(client.get("/v1/ai-tasks?kind=text").json().at("/items/0/id").asText())
        .isEqualTo(id);
    client.get("/v1/ai-tasks?kind=video").expectProblem(400, "PARAMETER_INVALID");
    stranger.get("/v1/ai-tasks/" + id).expectProblem(404, "NOT_FOUND");
    assertThat(stranger.get("/v1/ai-tasks").json().get("items")).isEmpty();
  }
}
