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
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DraftCallsTest {
  private final MigratedDatabase database;
  private final TestApi api;
  private TestClient client;
  private String storeId;

  DraftCallsTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    client = api.newClient();
    storeId = newStore(client);
  }

  @BeforeEach
  void newWorkspace() throws SQLException {
    client = api.newClient();
    storeId = newStore(client);
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void a_draft_is_kept_as_it_was_written_and_starts_no_task() throws Exception {
    Map<String, Long> before = api.allRows();
    String body =
        """
        {"store_id":"%s","title":"Tee 茶 🍵","description":"two\\nlines\\tand a tab","price":"10.50","media_ids":[]}"""
            .formatted(storeId);

    Reply created = client.send("POST", "/v1/drafts", body).expect(201);

    JsonNode draft = created.json();
    assertThat(created.header("ETag")).isEqualTo("\"1\"");
    assertThat(created.header("Location")).isEqualTo("/v1/drafts/" + id(created));
    assertThat(draft.get("revision").asInt()).isEqualTo(1);
    assertThat(draft.get("title").asText()).isEqualTo("Tee 茶 🍵");
    assertThat(draft.get("description").asText()).isEqualTo("two\nlines\tand a tab");
    assertThat(draft.get("price").asText()).isEqualTo("10.50");
    Reply read = client.get("/v1/drafts/" + id(created)).expect(200);
    assertThat(read.json()).isEqualTo(draft);
    assertThat(read.header("ETag")).isEqualTo("\"1\"");
    before.merge("drafts", 1L, Long::sum);
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void a_save_at_the_current_revision_replaces_everything_and_counts_up() {
    String id = id(create("{'store_id':'%s','title':'a','description':'b','price':'1'}"));

    Reply saved = put(id, "{'store_id':'%s','title':'c'}", "If-Match", "\"1\"").expect(200);

    assertThat(saved.header("ETag")).isEqualTo("\"2\"");
    assertThat(saved.json().get("title").asText()).isEqualTo("c");
    assertThat(saved.json().has("description")).isFalse();
    assertThat(saved.json().has("price")).isFalse();
    assertThat(client.get("/v1/drafts/" + id).expect(200).json()).isEqualTo(saved.json());
  }

  @Test
  void a_save_without_revision_at_an_old_or_at_a_strange_one_changes_nothing() {
    String id = id(create("{'store_id':'%s','title':'a'}"));
    put(id, "{'store_id':'%s','title':'b'}", "If-Match", "\"1\"").expect(200);
    String late = "{'store_id':'%s','title':'late'}";

    assertField(put(id, late).expectProblem(428, "IF_MATCH_REQUIRED"), "If-Match");
    for (String stale : List.of("\"1\"", "\"3\"", "\"02\"", "\"x\"", "\"\"", "\"99999999999\"")) {
      assertField(
          put(id, late, "If-Match", stale).expectProblem(412, "REVISION_STALE"), "If-Match");
    }
    for (String bad : List.of("2", "W/\"2\"", "\"2\", \"3\"", "*", "\"2", "\"2\"x", "\"a b\"")) {
      assertField(put(id, late, "If-Match", bad).expectProblem(400, "HEADER_INVALID"), "If-Match");
    }
    assertField(
        put(id, late, "If-Match", "\"2\"", "If-Match", "\"2\"")
            .expectProblem(400, "HEADER_INVALID"),
        "If-Match");

    JsonNode draft = client.get("/v1/drafts/" + id).expect(200).json();
    assertThat(draft.get("title").asText()).isEqualTo("b");
    assertThat(draft.get("revision").asInt()).isEqualTo(2);
  }

  @Test
  void of_twenty_saves_at_one_revision_exactly_one_is_kept() {
    String id = id(create("{'store_id':'%s','title':'a'}"));
    List<CompletableFuture<Reply>> saves = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      saves.add(
          client.sendLater(
              "PUT",
              "/v1/drafts/" + id,
              json("{'store_id':'%s','title':'save " + i + "'}"),
              "If-Match",
              "\"1\""));
    }

    List<Reply> replies = saves.stream().map(CompletableFuture::join).toList();

    List<Reply> kept = replies.stream().filter(reply -> reply.status() == 200).toList();
    assertThat(kept).hasSize(1);
    assertThat(replies).filteredOn(reply -> reply.status() == 412).hasSize(19);
    assertThat(client.get("/v1/drafts/" + id).json()).isEqualTo(kept.get(0).json());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]                                       | FIELD_INVALID  |",
        "{}                                       | FIELD_REQUIRED | /store_id",
        "{'store_id':7}                           | FIELD_INVALID  | /store_id",
        "{'store_id':'7'}                         | FIELD_INVALID  | /store_id",
        "{'store_id':'%s'}                        | FIELD_REQUIRED | /title",
        "{'store_id':'%s','title':' '}            | FIELD_INVALID  | /title",
        "{'store_id':'%s','title':'a\\nb'}        | FIELD_INVALID  | /title",
        "{'store_id':'%s','title':'t','description':''}       | FIELD_INVALID | /description",
        "{'store_id':'%s','title':'t','description':null}     | FIELD_INVALID | /description",
        "{'store_id':'%s','title':'t','description':'\\u0007'} | FIELD_INVALID | /description",
        "{'store_id':'%s','title':'t','price':1}              | FIELD_INVALID | /price",
        "{'store_id':'%s','title':'t','price':'-1'}           | FIELD_INVALID | /price",
        "{'store_id':'%s','title':'t','price':'1e3'}          | FIELD_INVALID | /price",
        "{'store_id':'%s','title':'t','price':'1.23456'}      | FIELD_INVALID | /price",
        "{'store_id':'%s','title':'t','media_ids':'x'}        | FIELD_INVALID | /media_ids",
        "{'store_id':'%s','title':'t','media_ids':['x']}      | FIELD_INVALID | /media_ids/0",
        "{'store_id':'%s','title':'t','revision':3}           | FIELD_UNKNOWN | /revision",
        "{'store_id':'%s','title':'https://u:p@example.com/'} | SECRET_REFUSED |",
        "{'store_id':'%s','title':'t','description':'see https://x.example/?x-amz-signature=ab'} | SECRET_REFUSED |",
      })
  void a_bad_field_is_named_and_leaves_no_row(String body, String code, String field)
      throws Exception {
    String id = id(create("{'store_id':'%s','title':'a'}"));
    Map<String, Long> before = api.allRows();

    assertField(client.send("POST", "/v1/drafts", json(body)).expectProblem(400, code), field);
    assertField(put(id, body, "If-Match", "\"1\"").expectProblem(400, code), field);

    assertThat(api.allRows()).isEqualTo(before);
    assertThat(client.get("/v1/drafts/" + id).json().get("revision").asInt()).isEqualTo(1);
  }

  @Test
  void a_store_that_is_unknown_or_of_another_workspace_is_refused_alike() throws Exception {
    String foreign = newStore(api.newClient());
    Map<String, Long> before = api.allRows();
    List<String> answers = new ArrayList<>();
    for (String store : List.of(foreign, UUID.randomUUID().toString())) {
      Reply reply =
          client
              .send(
                  "POST",
                  "/v1/drafts",
                  "{\"store_id\":\"" + store + "\",\"title\":\"t\"}",
                  "X-Request-Id",
                  "r")
              .expectProblem(400, "FIELD_INVALID");
      assertField(reply, "/store_id");
      answers.add(reply.body());
    }
    assertThat(answers.stream().distinct()).hasSize(1);
    assertThat(api.allRows()).isEqualTo(before);
  }

  @Test
  void media_of_the_workspace_are_kept_in_their_order_and_others_are_refused() throws Exception {
    String first = newMedia(client);
    String second = newMedia(client);
    String body = "{'store_id':'%s','title':'t','media_ids':['" + second + "','" + first + "']}";
    Reply created = create(body);
    assertThat(created.json().at("/media_ids/0").asText()).isEqualTo(second);
    assertThat(created.json().at("/media_ids/1").asText()).isEqualTo(first);
    String foreign = newMedia(api.newClient());
    Map<String, Long> before = api.allRows();

    for (String unknown : List.of(foreign, UUID.randomUUID().toString())) {
      String bad = body.replace(first, unknown);
      assertField(
          client.send("POST", "/v1/drafts", json(bad)).expectProblem(400, "FIELD_INVALID"),
          "/media_ids/1");
      assertField(
          put(id(created), bad, "If-Match", "\"1\"").expectProblem(400, "FIELD_INVALID"),
          "/media_ids/1");
    }
    assertField(
        client
            .send("POST", "/v1/drafts", json(body.replace(first, second)))
            .expectProblem(400, "FIELD_INVALID"),
        "/media_ids/1");

    assertThat(api.allRows()).isEqualTo(before);
  }

  private static String newMedia(TestClient owner) {
    return owner
        .post("/v1/media", "{\"declared_type\":\"image/png\",\"declared_size_bytes\":8}")
        .expect(201)
        .json()
        .get("id")
        .asText();
  }

  @Test
  void an_unknown_a_foreign_and_a_malformed_id_get_the_same_answer() throws Exception {
    TestClient stranger = api.newClient();
    String foreign =
        stranger
            .send(
                "POST",
                "/v1/drafts",
                "{\"store_id\":\"" + newStore(stranger) + "\",\"title\":\"t\"}")
            .expect(201)
            .json()
            .get("id")
            .asText();
    List<String> answers = new ArrayList<>();
    for (String id : List.of(UUID.randomUUID().toString(), foreign, "42")) {
      String path = "/v1/drafts/" + id;
      String body = json("{'store_id':'%s','title':'t'}");
      for (Reply reply :
          List.of(
              client.get(path, "X-Request-Id", "r"),
              client.send("PUT", path, body, "If-Match", "\"1\"", "X-Request-Id", "r"),
              client.send("PUT", path, body, "If-Match", "\"9\"", "X-Request-Id", "r"),
              client.send(
                  "POST",
                  path + "/publications",
                  "{}",
                  "Idempotency-Key",
                  "k",
                  "X-Request-Id",
                  "r"))) {
        reply.expectProblem(404, "NOT_FOUND");
        Map<String, List<String>> headers = new TreeMap<>(reply.response().headers().map());
        headers.remove("date");
        answers.add(headers + reply.body());
      }
    }
    assertThat(answers.stream().distinct()).hasSize(1);
  }

  @Test
  void the_list_pages_from_the_newest_and_can_be_of_one_store() {
    String first = id(create("{'store_id':'%s','title':'1'}"));
    String second = id(create("{'store_id':'%s','title':'2'}"));
    String otherStore = newStore(client);
    client
        .send("POST", "/v1/drafts", "{\"store_id\":\"" + otherStore + "\",\"title\":\"3\"}")
        .expect(201);

    JsonNode page = client.get("/v1/drafts?limit=1&store_id=" + storeId).expect(200).json();
    assertThat(page.at("/items/0/id").asText()).isEqualTo(second);
    JsonNode last =
        client
            .get("/v1/drafts?store_id=" + storeId + "&after=" + page.get("next").asText())
            .expect(200)
            .json();
    assertThat(last.get("items")).hasSize(1);
    assertThat(last.at("/items/0/id").asText()).isEqualTo(first);
    assertThat(last.has("next")).isFalse();
    assertThat(client.get("/v1/drafts").expect(200).json().get("items")).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(strings = {"?store_id=x", "?after=x", "?limit=0", "?limit=201", "?x=1"})
  void a_bad_parameter_is_refused(String query) {
    client.get("/v1/drafts" + query).expectProblem(400, "PARAMETER_INVALID");
  }

  private Reply create(String body) {
    return client.send("POST", "/v1/drafts", json(body)).expect(201);
  }

  private Reply put(String id, String body, String... headers) {
    return client.send("PUT", "/v1/drafts/" + id, json(body), headers);
  }

  private String json(String body) {
    return body.replace('\'', '"').replace("%s", storeId);
  }

  private static String id(Reply reply) {
    return reply.json().get("id").asText();
  }

  private static void assertField(Reply reply, String field) {
    assertThat(reply.json().path("field").asText()).isEqualTo(field == null ? "" : field);
  }
}
