package dev.onceward.api.flow;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.flow.FlowWriter;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.SQLException;
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
class FlowCallsTest {
  private static final String REVIEW =
      "{\"flow\":\"listing_review\",\"input\":{\"listing_id\":\"l-1\",\"title\":\"A lamp\"}}";

  private final MigratedDatabase database;
  private final TestApi api;
  private Tenant tenant;
  private TestClient client;

  FlowCallsTest(PostgresServer server) throws SQLException {
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
  void a_started_run_names_its_operation_and_a_repetition_names_the_run() {
    Reply first = client.post("/v1/runs", REVIEW, "k").expect(202);

    Reply again = client.post("/v1/runs", " " + REVIEW, "k").expect(202);

    JsonNode run = first.json().get("run");
    assertThat(first.header("Location"))
        .isEqualTo("/v1/operations/" + TestApi.operationId(first.json()));
    assertThat(first.json().at("/operation/kind").asText()).isEqualTo("advance_run");
    assertThat(first.json().get("duplicate").asBoolean()).isFalse();
    assertThat(again.json().get("duplicate").asBoolean()).isTrue();
    assertThat(again.json().get("run")).isEqualTo(run);
    assertThat(client.get("/v1/runs/" + run.get("id").asText()).expect(200).json()).isEqualTo(run);
    assertThat(client.get("/v1/runs").expect(200).json().get("items")).hasSize(1);
  }

  @Test
  void another_body_or_call_under_the_key_is_refused() throws SQLException {
    client.post("/v1/runs", REVIEW, "k").expect(202);

    client
        .post("/v1/runs", REVIEW.replace("lamp", "chair"), "k")
        .expectProblem(422, "RECEIPT_MISMATCH");
    client
        .post("/v1/todos/" + waitingTodo() + "/resolution", "{\"decision\":\"approve\"}", "k")
        .expectProblem(422, "RECEIPT_MISMATCH");
    api.newClient().post("/v1/runs", REVIEW.replace("lamp", "chair"), "k").expect(202);
  }

  @Test
  void a_to_do_is_resolved_once() throws SQLException {
    String todo = waitingTodo();
    assertThat(client.get("/v1/todos?state=waiting").json().get("items")).hasSize(1);
    String path = "/v1/todos/" + todo + "/resolution";
    String body = "{\"decision\":\"reject\",\"comment\":\"Too dark.\\nTry again.\"}";

    JsonNode resolved = client.post(path, body, "k").expect(202).json();

    assertThat(resolved.at("/todo/state").asText()).isEqualTo("resolved");
    assertThat(resolved.at("/todo/decision").asText()).isEqualTo("reject");
    assertThat(resolved.get("todo_id").asText()).isEqualTo(todo);
    assertThat(resolved.get("run_id")).isEqualTo(resolved.at("/todo/run_id"));
    assertThat(client.post(path, body, "k").expect(202).json().get("duplicate").asBoolean())
        .isTrue();
    client.post(path, body, "other").expectProblem(409, "TODO_NOT_WAITING");
    assertThat(client.get("/v1/todos?state=waiting").json().get("items")).isEmpty();
    assertThat(client.get("/v1/todos?state=resolved").json().get("items")).hasSize(1);
    assertThat(client.get("/v1/todos/" + todo).json()).isEqualTo(resolved.get("todo"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | FIELD_REQUIRED | /flow",
        "{\"flow\":\"x\",\"input\":{}} | FIELD_INVALID | /flow",
        "{\"flow\":\"listing_review\"} | FIELD_REQUIRED | /input",
        "{\"flow\":\"listing_review\",\"input\":[]} | FIELD_INVALID | /input",
        "{\"flow\":\"listing_review\",\"input\":{\"listing_id\":\"l\"}} | FIELD_REQUIRED | /input/title",
        "{\"flow\":\"store_check\",\"input\":{\"store_id\":\"l\"}} | FIELD_INVALID | /input/store_id",
        "{\"flow\":\"store_check\",\"input\":{\"store_id\":\"018f0000-0000-7000-8000-000000000000\"}} | FIELD_INVALID | /input/store_id",
        "{\"flow\":\"store_check\",\"input\":{},\"x\":1} | FIELD_UNKNOWN | /x",
      })
  void a_form_that_is_not_valid_names_the_field_and_the_key_may_come_again(
      String body, String code, String field) {
    Reply refused = client.post("/v1/runs", body, "k").expectProblem(400, code);

    assertThat(refused.json().get("field").asText()).isEqualTo(field);
    client.post("/v1/runs", REVIEW, "k").expect(202);
    assertThat(client.get("/v1/runs").json().get("items")).hasSize(1);
  }

  @Test
  void a_request_without_key_or_with_broken_json_leaves_no_receipt() throws SQLException {
    client.send("POST", "/v1/runs", REVIEW).expectProblem(400, "IDEMPOTENCY_KEY_REQUIRED");
    client.post("/v1/runs", "{", "k").expectProblem(400, "JSON_MALFORMED");
    client.post("/v1/todos/x/resolution", "{}", "k").expectProblem(404, "NOT_FOUND");
    client.post("/v1/runs?x=1", REVIEW, "k").expectProblem(400, "PARAMETER_INVALID");
    client.get("/v1/todos?state=open").expectProblem(400, "PARAMETER_INVALID");

    assertThat(client.post("/v1/runs", REVIEW, "k").expect(202).json().get("duplicate").asBoolean())
        .isFalse();
  }

  @Test
  void a_secret_is_not_stored_in_an_input_or_comment() throws SQLException {
    String secret = "sk-abcdefghijklmnopqrstuvwx";
    client.post("/v1/runs", REVIEW.replace("A lamp", secret)).expectProblem(400, "SECRET_REFUSED");
    client
        .post(
            "/v1/todos/" + waitingTodo() + "/resolution",
            "{\"decision\":\"approve\",\"comment\":\"" + secret + "\"}")
        .expectProblem(400, "SECRET_REFUSED");
    // The name of a member comes back in the answer, but is not stored either.
    client.post("/v1/runs", "{\"" + secret + "\":1}").expect(400);
  }

  @Test
  void another_workspaces_run_and_to_do_are_as_unknown_as_ones_that_do_not_exist()
      throws SQLException {
    String run = client.post("/v1/runs", REVIEW).expect(202).json().get("run_id").asText();
    String todo = waitingTodo();
    TestClient stranger = api.newClient();
    String nothing = UUID.randomUUID().toString();

    for (String path : new String[] {"/v1/runs/", "/v1/todos/"}) {
      Reply foreign = stranger.get(path + (path.contains("runs") ? run : todo));
      Reply unknown = stranger.get(path + nothing);
      foreign.expectProblem(404, "NOT_FOUND");
      assertThat(foreign.body()).isEqualTo(unknown.body());
    }
    Reply foreign =
        stranger.post("/v1/todos/" + todo + "/resolution", "{\"decision\":\"approve\"}");
    Reply unknown =
        stranger.post("/v1/todos/" + nothing + "/resolution", "{\"decision\":\"approve\"}");
    foreign.expectProblem(404, "NOT_FOUND");
    assertThat(foreign.body()).isEqualTo(unknown.body());
    client.get("/v1/todos/" + todo).expect(200);
  }

  /** A run that a worker has taken to its to-do. */
  private String waitingTodo() throws SQLException {
    String run = client.post("/v1/runs", REVIEW).expect(202).json().get("run_id").asText();
    return database
        .app()
        .inWorkspace(
            tenant.workspaceId(),
            connection ->
                FlowWriter.awaitTodo(connection, UUID.fromString(run), "approve", event -> event))
        .orElseThrow()
        .toString();
  }
}
