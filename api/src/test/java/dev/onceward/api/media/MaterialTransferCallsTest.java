package dev.onceward.api.media;

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
class MaterialTransferCallsTest {
  private static final String BODY =
      "{\"source_url\":\"https://materials.example/a.png?width=100\",\"file_name\":\"a.png\"}";

  private final MigratedDatabase database;
  private final TestApi api;
  private final MediaWorld world;
  private TestClient client;

  MaterialTransferCallsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    world = new MediaWorld(api);
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
  void a_transfer_is_requested_once_whatever_is_repeated() throws Exception {
    Map<String, Long> before = api.allRows();
    Reply first = client.post("/v1/material-transfers", BODY, "t").expect(202);
    Reply again = client.post("/v1/material-transfers", BODY, "t").expect(202);
    client
        .post("/v1/material-transfers", BODY.replace("a.png", "b.png"), "t")
        .expectProblem(409, "IDEMPOTENCY_KEY_REUSED");

    JsonNode transfer = first.json().get("material_transfer");
    String id = transfer.get("id").asText();
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(transfer.get("status").asText()).isEqualTo("requested");
    assertThat(first.json().at("/operation/kind").asText()).isEqualTo("transfer_material");
    assertThat(client.get("/v1/material-transfers/" + id).expect(200).json()).isEqualTo(transfer);
    assertThat(
            api.text(
                "SELECT event_type || ' ' || payload FROM onceward.outbox_events WHERE id = '"
                    + first.json().at("/operation/event_id").asText()
                    + "'"))
        .isEqualTo("material.transfer_requested {\"material_transfer_id\":\"" + id + "\"}");
    assertThat(world.gained(before))
        .isEqualTo(
            Map.of(
                "material_transfers",
                1L,
                "operations",
                1L,
                "operation_events",
                1L,
                "outbox_events",
                1L,
                "idempotency_requests",
                1L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ftp://materials.example/a | FIELD_INVALID",
        "file:///etc/passwd | FIELD_INVALID",
        "/a.png | FIELD_INVALID",
        "materials.example/a.png | FIELD_INVALID",
        "https:///a.png | FIELD_INVALID",
        "https://materials.example:70000/a | FIELD_INVALID",
        "https://materials.example:x/a | FIELD_INVALID",
        "https://someone@materials.example/a | FIELD_INVALID",
        "https://materials.example/a#part | FIELD_INVALID",
        "https://materials.example/a b | FIELD_INVALID",
        "https://materials.example/ä | FIELD_INVALID",
        "https://materials.example/%zz | FIELD_INVALID",
        "https://someone:word@materials.example/a | SECRET_REFUSED",
        "https://materials.example/a?X-Amz-Signature=abc | SECRET_REFUSED",
        "https://materials.example/a?X-Amz-Signatur%65=abc | SECRET_REFUSED",
        "https://materials.example/a?b=c&token=abc | SECRET_REFUSED",
        "https://materials.example/a?sig=abc | SECRET_REFUSED",
      })
  void a_source_that_is_no_public_url_is_refused_and_leaves_no_row(String url, String code)
      throws Exception {
    Map<String, Long> before = api.allRows();
    Reply refused =
        client
            .post("/v1/material-transfers", "{\"source_url\":\"" + url + "\"}")
            .expectProblem(400, code);
    assertThat(refused.json().get("field").asText()).isEqualTo("/source_url");
    assertThat(refused.body()).doesNotContain("abc").doesNotContain("word@");
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void other_members_are_refused_and_leave_no_row() throws Exception {
    Map<String, Long> before = api.allRows();
    client.post("/v1/material-transfers", "{}").expectProblem(400, "FIELD_REQUIRED");
    client
        .post("/v1/material-transfers", BODY.replace("file_name", "name"))
        .expectProblem(400, "FIELD_UNKNOWN");
    client
        .post("/v1/material-transfers", BODY.replace("a.png\"}", "a/b\"}"))
        .expectProblem(400, "FIELD_INVALID");
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void foreign_transfers_are_like_unknown_ones_and_in_no_list() throws Exception {
    String foreign =
        api.newClient()
            .post("/v1/material-transfers", BODY)
            .expect(202)
            .json()
            .at("/material_transfer/id")
            .asText();
    String own =
        client
            .post("/v1/material-transfers", BODY)
            .expect(202)
            .json()
            .at("/material_transfer/id")
            .asText();

    String unknown =
        client
            .get("/v1/material-transfers/" + UUID.randomUUID())
            .expectProblem(404, "NOT_FOUND")
            .body();
    assertThat(
            List.of(
                client
                    .get("/v1/material-transfers/" + foreign)
                    .expectProblem(404, "NOT_FOUND")
                    .body()))
        .containsExactly(unknown);
    assertThat(
            client
                .get("/v1/material-transfers?limit=200")
                .expect(200)
                .json()
                .get("items")
                .findValuesAsText("id"))
        .containsExactly(own);
  }
}
