package dev.onceward.api.media;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.security.MessageDigest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HexFormat;
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
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MediaCallsTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private final MediaWorld world;
  private TestClient client;

  MediaCallsTest(PostgresServer server) throws SQLException {
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
  void a_registered_upload_awaits_content_and_has_a_place() {
    Reply created = client.post("/v1/media", MediaWorld.registration(5)).expect(201);

    JsonNode media = created.json();
    assertThat(created.header("Location")).isEqualTo("/v1/media/" + media.get("id").asText());
    assertThat(media.get("status").asText()).isEqualTo("awaiting_content");
    assertThat(media.get("declared_size_bytes").asLong()).isEqualTo(5);
    assertThat(client.get(String.valueOf(created.header("Location"))).expect(200).json())
        .isEqualTo(media);
  }

  @Test
  void registering_twice_under_one_key_is_one_media_and_starts_no_task() throws Exception {
    Map<String, Long> before = api.allRows();
    Reply first = client.post("/v1/media", MediaWorld.registration(5), "one").expect(201);
    Reply second = client.post("/v1/media", MediaWorld.registration(5), "one").expect(201);
    client
        .post("/v1/media", MediaWorld.registration(6), "one")
        .expectProblem(409, "IDEMPOTENCY_KEY_REUSED");

    assertThat(second.body()).isEqualTo(first.body());
    assertThat(second.header("Location")).isEqualTo(first.header("Location")).isNotNull();
    assertThat(second.header("Idempotency-Replayed")).isEqualTo("true");
    assertThat(world.gained(before)).isEqualTo(Map.of("media", 1L, "idempotency_requests", 1L));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "{} | FIELD_REQUIRED | /declared_type",
        "{\"declared_type\":\"image/png\"} | FIELD_REQUIRED | /declared_size_bytes",
        "{\"declared_type\":\"png\",\"declared_size_bytes\":1} | FIELD_INVALID | /declared_type",
        "{\"declared_type\":\"a/b;c=d\",\"declared_size_bytes\":1} | FIELD_INVALID | /declared_type",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":0} | FIELD_INVALID | /declared_size_bytes",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":-1} | FIELD_INVALID | /declared_size_bytes",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":1.0} | FIELD_INVALID | /declared_size_bytes",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":1e400} | FIELD_INVALID | /declared_size_bytes",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":\"1\"} | FIELD_INVALID | /declared_size_bytes",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":16777217} | FIELD_INVALID | /declared_size_bytes",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":1,\"file_name\":\"../x\"} | FIELD_INVALID | /file_name",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":1,\"file_name\":\"\"} | FIELD_INVALID | /file_name",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":1,\"file_name\":null} | FIELD_INVALID | /file_name",
        "{\"declared_type\":\"a/b\",\"declared_size_bytes\":1,\"name\":\"x\"} | FIELD_UNKNOWN | /name",
      })
  void a_bad_registration_names_the_member_and_leaves_no_row(String body, String code, String field)
      throws Exception {
    Map<String, Long> before = api.allRows();
    Reply refused = client.post("/v1/media", body).expectProblem(400, code);
    assertThat(refused.json().get("field").asText()).isEqualTo(field);
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void a_file_name_with_a_secret_is_refused_and_leaves_no_row() throws Exception {
    Map<String, Long> before = api.allRows();
    client
        .post(
            "/v1/media", MediaWorld.registration(1).replace("a file.bin", "x?x-amz-signature=abc"))
        .expectProblem(400, "SECRET_REFUSED");
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void completing_asks_for_the_inspection_of_these_bytes_once() throws Exception {
    byte[] content = MediaWorld.bytes(600_000, 1);
    String id = world.register(client, content.length);
    JsonNode sent = world.put(client, id, content).expect(200).json();
    Map<String, Long> before = api.allRows();

    Reply first = client.post("/v1/media/" + id + "/complete", "{}", "c").expect(202);
    Reply again = client.post("/v1/media/" + id + "/complete", "{}", "c").expect(202);
    client
        .post("/v1/media/" + id + "/complete", "{}", "another")
        .expectProblem(409, "MEDIA_ALREADY_COMPLETED");

    assertThat(sent.get("status").asText()).isEqualTo("uploaded");
    assertThat(sent.get("size_bytes").asLong()).isEqualTo(content.length);
    assertThat(sent.get("sha256").asText())
        .isEqualTo(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content)));
    assertThat(again.body()).isEqualTo(first.body());
    assertThat(first.json().at("/operation/kind").asText()).isEqualTo("process_media");
    assertThat(first.json().at("/media/status").asText()).isEqualTo("processing");
    assertThat(first.header("Location"))
        .isEqualTo("/v1/operations/" + TestApi.operationId(first.json()));
    assertThat(
            api.text(
                "SELECT event_type || ' ' || aggregate_id || ' ' || payload FROM onceward.outbox_events"
                    + " WHERE id = '"
                    + first.json().at("/operation/event_id").asText()
                    + "'"))
        .isEqualTo("media.upload_completed " + id + " {\"media_id\":\"" + id + "\"}");
    assertThat(world.gained(before))
        .isEqualTo(
            Map.of(
                "operations",
                1L,
                "operation_events",
                1L,
                "outbox_events",
                1L,
                "idempotency_requests",
                1L));
  }

  @Test
  void completing_without_content_is_refused_and_can_be_repeated_once_it_is_there()
      throws Exception {
    String id = world.register(client, 3);
    Map<String, Long> before = api.allRows();
    client
        .post("/v1/media/" + id + "/complete", "{}", "k")
        .expectProblem(409, "MEDIA_CONTENT_MISSING");
    assertThat(api.allRows()).isEqualTo(before);

    world.put(client, id, MediaWorld.bytes(3, 3)).expect(200);
    client.post("/v1/media/" + id + "/complete", "{}", "k").expect(202);
  }

  @Test
  void fifty_parallel_completions_under_different_keys_are_one_task() throws Exception {
    byte[] content = MediaWorld.bytes(10, 9);
    String id = world.register(client, content.length);
    world.put(client, id, content).expect(200);
    Map<String, Long> before = api.allRows();

    List<CompletableFuture<Reply>> pending = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      pending.add(
          client.sendLater(
              "POST", "/v1/media/" + id + "/complete", "{}", "Idempotency-Key", "key-" + i));
    }
    List<String> answers =
        pending.stream()
            .map(CompletableFuture::join)
            .map(r -> r.status() + " " + r.code())
            .toList();

    assertThat(answers).containsOnlyOnce("202 ");
    assertThat(answers).containsOnly("202 ", "409 MEDIA_ALREADY_COMPLETED");
    assertThat(world.gained(before))
        .isEqualTo(
            Map.of(
                "operations",
                1L,
                "operation_events",
                1L,
                "outbox_events",
                1L,
                "idempotency_requests",
                1L));
  }

  @Test
  void unknown_and_foreign_media_are_answered_alike_by_every_call() throws Exception {
    byte[] content = MediaWorld.bytes(10, 4);
    String foreign = world.completed(api.newClient(), content);
    world.makeReady(foreign);
    Map<String, Long> before = api.allRows();

    for (String id : List.of(foreign, UUID.randomUUID().toString(), "no-id")) {
      Reply read = client.get("/v1/media/" + id).expectProblem(404, "NOT_FOUND");
      Reply put = world.put(client, id, content).expectProblem(404, "NOT_FOUND");
      Reply complete =
          client.post("/v1/media/" + id + "/complete", "{}").expectProblem(404, "NOT_FOUND");
      Reply download = client.get("/v1/media/" + id + "/content").expectProblem(404, "NOT_FOUND");
      assertThat(List.of(put.body(), complete.body(), download.body())).containsOnly(read.body());
    }
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void a_list_is_newest_first_in_pages_of_this_workspace_only() throws Exception {
    world.register(api.newClient(), 1);
    List<String> ids =
        List.of(world.register(client, 1), world.register(client, 2), world.register(client, 3));

    JsonNode page = client.get("/v1/media?limit=2").expect(200).json();
    JsonNode rest =
        client.get("/v1/media?limit=2&after=" + page.get("next").asText()).expect(200).json();

    assertThat(page.get("items").findValuesAsText("id")).containsExactly(ids.get(2), ids.get(1));
    assertThat(rest.get("items").findValuesAsText("id")).containsExactly(ids.get(0));
    assertThat(rest.has("next")).isFalse();
    client.get("/v1/media?status=ready").expectProblem(400, "PARAMETER_INVALID");
  }
}
