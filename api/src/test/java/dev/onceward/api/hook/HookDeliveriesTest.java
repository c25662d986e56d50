package dev.onceward.api.hook;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.onceward.api.TestApi;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;

/** Deliveries from outside: who may, and what comes of them, once. */
@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class HookDeliveriesTest {
  private static final String REVIEW =
      "{\"type\":\"listing.ready\",\"data\":{\"listing_id\":\"l-1\",\"title\":\"A lamp\"}}";
  private static final String OTHER_REVIEW = REVIEW.replace("A lamp", "A chair");

  private final MigratedDatabase database;
  private final TestApi api;
  private TestClient client;
  private JsonNode made;
  private TestSender sender;

  HookDeliveriesTest(PostgresServer server) throws SQLException {
    database = MigratedDatabase.create(server);
    api = TestApi.start(database);
    client = api.newClient();
    made = hook(client, "{\"type\":\"start_run\",\"flow\":\"listing_review\"}");
    sender = sender(made);
  }

  @BeforeEach
  void newHook() throws SQLException {
    client = api.newClient();
    made = hook(client, "{\"type\":\"start_run\",\"flow\":\"listing_review\"}");
    sender = sender(made);
  }

  @AfterAll
  void stop() throws SQLException {
    api.close();
    database.close();
  }

  @Test
  void a_delivery_starts_a_run_and_its_repetition_names_the_same() throws Exception {
    JsonNode first = sender.deliver("d-1", REVIEW).expect(202).json();

    JsonNode again = sender.deliver("d-1", REVIEW).expect(202).json();

    assertThat(first.get("duplicate").asBoolean()).isFalse();
    assertThat(first.get("reclaimed").asBoolean()).isFalse();
    assertThat(again.get("duplicate").asBoolean()).isTrue();
    assertThat(again.get("run_id")).isEqualTo(first.get("run_id"));
    JsonNode run = client.get("/v1/runs/" + first.get("run_id").asText()).expect(200).json();
    assertThat(run.get("state").asText()).isEqualTo("running");
    assertThat(run.at("/input/title").asText()).isEqualTo("A lamp");
    assertThat(effects()).isEqualTo(new Effects(1, 1, 1, 1));
  }

  @Tag("S53")
  @Test
  void fifty_equal_deliveries_at_once_have_one_effect_a_hundred_times() throws Exception {
    for (int round = 1; round <= 100; round++) {
      List<CompletableFuture<Reply>> sent = new ArrayList<>();
      for (int i = 0; i < 50; i++) {
        sent.add(sender.deliverLater("round-" + round, REVIEW));
      }
      List<String> runs = new ArrayList<>();
      int firsts = 0;
      for (CompletableFuture<Reply> reply : sent) {
        Reply answered = reply.get(60, TimeUnit.SECONDS);
        if (answered.status() == 202) {
          runs.add(answered.json().get("run_id").asText());
          firsts += answered.json().get("duplicate").asBoolean() ? 0 : 1;
        } else {
          answered.expectProblem(409, "RECEIPT_BUSY");
          assertThat(answered.header("Retry-After")).isEqualTo("1");
        }
      }
      assertThat(runs.stream().distinct()).hasSize(1);
      assertThat(firsts).isEqualTo(1);
    }
    assertThat(effects()).isEqualTo(new Effects(100, 100, 100, 100));
    receipts("SET received_at = received_at - interval '1 day'");
    assertThat(sender.deliver("round-7", REVIEW).expect(202).json().get("duplicate").asBoolean())
        .isTrue();
    assertThat(effects()).isEqualTo(new Effects(100, 100, 100, 100));
  }

  @Test
  void a_signed_delivery_cannot_be_carried_out_again_under_an_unsigned_key() throws Exception {
    JsonNode first = sender.deliver("d-1", REVIEW).expect(202).json();
    Effects before = effects();

    for (String other : List.of("k", "\"k\"", "D-1", "a b", "d-1,d-1", "")) {
      Reply refused =
          sender
              .deliverLater("d-1", REVIEW, "Idempotency-Key", other)
              .join()
              .expectProblem(400, "IDEMPOTENCY_KEY_INVALID");
      assertThat(refused.json().get("field").asText()).isEqualTo("Idempotency-Key");
    }
    for (String same : List.of("d-1", "\"d-1\"")) {
      JsonNode again =
          sender.deliverLater("d-1", REVIEW, "Idempotency-Key", same).join().expect(202).json();
      assertThat(again.get("run_id")).isEqualTo(first.get("run_id"));
      assertThat(again.get("duplicate").asBoolean()).isTrue();
    }

    assertThat(effects()).isEqualTo(before);
  }

  @Test
  void the_same_delivery_id_at_two_hooks_and_in_two_workspaces_is_independent() throws Exception {
    TestClient elsewhere = api.newClient();
    TestSender second =
        sender(hook(client, "{\"type\":\"start_run\",\"flow\":\"listing_review\"}"));
    TestSender third =
        sender(hook(elsewhere, "{\"type\":\"start_run\",\"flow\":\"listing_review\"}"));

    List<String> runs = new ArrayList<>();
    for (TestSender each : List.of(sender, second, third)) {
      JsonNode answer = each.deliver("same", REVIEW).expect(202).json();
      assertThat(answer.get("duplicate").asBoolean()).isFalse();
      runs.add(answer.get("run_id").asText());
    }

    assertThat(runs).doesNotHaveDuplicates();
    assertThat(client.get("/v1/runs").json().get("items").findValuesAsText("id"))
        .containsExactlyInAnyOrder(runs.get(0), runs.get(1));
    assertThat(elsewhere.get("/v1/runs").json().get("items").findValuesAsText("id"))
        .containsExactly(runs.get(2));
  }

  @Tag("S55")
  @Test
  void a_delivery_whose_process_died_is_busy_until_it_is_stale_and_then_taken_over_once()
      throws Exception {
    sender.deliver("dead", REVIEW).expect(202);
    // What a SIGKILL after the claim leaves behind: the receipt, and nothing of the work.
    deleteRuns();
    receipts("SET status = 'processing', run_id = NULL");
    sender.deliver("dead", REVIEW).expectProblem(409, "RECEIPT_BUSY");
    receipts("SET received_at = clock_timestamp() - interval '590 s'");
    sender.deliver("dead", REVIEW).expectProblem(409, "RECEIPT_BUSY");
    receipts("SET received_at = clock_timestamp() - interval '610 s'");

    List<CompletableFuture<Reply>> sent = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      sent.add(sender.deliverLater("dead", REVIEW));
    }
    int takenOver = 0;
    for (CompletableFuture<Reply> reply : sent) {
      Reply answered = reply.get(60, TimeUnit.SECONDS);
      if (answered.status() == 202) {
        takenOver += answered.json().get("reclaimed").asBoolean() ? 1 : 0;
      } else {
        answered.expectProblem(409, "RECEIPT_BUSY");
      }
    }

    assertThat(takenOver).isEqualTo(1);
    assertThat(sender.deliver("dead", REVIEW).json().get("duplicate").asBoolean()).isTrue();
    assertThat(effects().runs()).isEqualTo(1);
  }

  @Tag("S55")
  @Test
  void what_was_done_before_the_process_died_is_found_and_not_done_again() throws Exception {
    String run = sender.deliver("done", REVIEW).expect(202).json().get("run_id").asText();
    // A backend that commits its work apart from the receipt can die in between.
    receipts(
        "SET status = 'processing', run_id = NULL, received_at = clock_timestamp() - interval '610 s'");

    JsonNode again = sender.deliver("done", REVIEW).expect(202).json();

    assertThat(again.get("run_id").asText()).isEqualTo(run);
    assertThat(again.get("reclaimed").asBoolean()).isTrue();
    assertThat(again.get("duplicate").asBoolean()).isTrue();
    assertThat(effects().runs()).isEqualTo(1);
  }

  @Tag("S56")
  @Test
  void another_content_under_the_same_id_is_refused_unless_the_first_was_rejected()
      throws Exception {
    sender.deliver("d", REVIEW).expect(202);
    Effects before = effects();
    sender.deliver("d", OTHER_REVIEW).expectProblem(422, "RECEIPT_MISMATCH");
    receipts("SET status = 'processing', run_id = NULL");
    sender.deliver("d", OTHER_REVIEW).expectProblem(422, "RECEIPT_MISMATCH");
    receipts("SET received_at = clock_timestamp() - interval '2 h'");
    sender.deliver("d", OTHER_REVIEW).expectProblem(422, "RECEIPT_MISMATCH");
    assertThat(effects().runs()).isEqualTo(before.runs());
    deleteRuns();
    receipts("SET status = 'rejected', detail = 'no'");

    String run = sender.deliver("d", OTHER_REVIEW).expect(202).json().get("run_id").asText();

    assertThat(client.get("/v1/runs/" + run).json().at("/input/title").asText())
        .isEqualTo("A chair");
    sender.deliver("d", REVIEW).expectProblem(422, "RECEIPT_MISMATCH");
  }

  @Tag("S57")
  @Test
  void the_bytes_count_as_they_came() throws Exception {
    String odd =
        "{ \"data\" :{\"title\":\"\\u0041 lamp \\/ \u00e9\",\r\n\t\"listing_id\":\"l\"},\"n\":1.0e2 }";
    sender.deliver("odd", odd).expect(202);
    Effects before = effects();
    long now = Instant.now().getEpochSecond();

    sender
        .raw(
            odd.replace(" }", "  }"),
            "webhook-id",
            "odd-2",
            "webhook-timestamp",
            "" + now,
            "webhook-signature",
            sender.signature("odd-2", now, odd))
        .expectProblem(401, "HOOK_SIGNATURE_INVALID");

    assertThat(effects()).isEqualTo(before);
  }

  @Tag("S57")
  @Test
  void garbage_in_place_of_a_signature_is_refused_and_leaves_no_receipt() throws Exception {
    long now = Instant.now().getEpochSecond();
    String good = sender.signature("g", now, REVIEW);
    List<String> garbage =
        List.of(
            "v1,",
            "v1",
            good.substring(0, 20),
            good.substring(3),
            "V1" + good.substring(2),
            good.toUpperCase(java.util.Locale.ROOT),
            "v1a" + good.substring(2),
            good + "A",
            "v1,AAAA v1,BBBB",
            "%00%ff",
            "v1,\"\\,;");
    for (String signature : garbage) {
      Reply reply = signed("g", "" + now, signature);
      assertThat(reply.status()).as(signature).isEqualTo(401);
      assertThat(reply.code()).isEqualTo("HOOK_SIGNATURE_INVALID");
      assertThat(reply.header("WWW-Authenticate")).isNotBlank();
    }
    signed("g", "" + now, "").expectProblem(400, "HEADER_INVALID");
    for (String timestamp : List.of("", "now", "-1", "1e9", "9999999999999")) {
      signed("g", timestamp, good).expectProblem(400, "HEADER_INVALID");
    }
    for (String id : List.of("", "a b", "{", "x".repeat(201))) {
      signed(id, "" + now, good).expectProblem(400, "HEADER_INVALID");
    }
    sender
        .raw(
            REVIEW,
            "webhook-id",
            "g",
            "webhook-timestamp",
            "" + now,
            "webhook-signature",
            good,
            "webhook-signature",
            good)
        .expectProblem(400, "HEADER_INVALID");
    sender.raw(REVIEW).expectProblem(400, "HEADER_INVALID");
    assertThat(effects()).isEqualTo(new Effects(0, 0, 0, 0));

    signed("g", "" + now, "v2,x v1,AAAA " + good).expect(202);
  }

  @Test
  void a_timestamp_more_than_five_minutes_off_is_refused() throws Exception {
    for (long off : List.of(-310, 310)) {
      long then = Instant.now().getEpochSecond() + off;
      signed("late", "" + then, sender.signature("late", then, REVIEW))
          .expectProblem(401, "HOOK_SIGNATURE_INVALID");
    }
    long then = Instant.now().getEpochSecond() - 280;
    signed("late", "" + then, sender.signature("late", then, REVIEW)).expect(202);
  }

  @Test
  void an_unknown_hook_a_disabled_one_and_a_wrong_signature_get_the_same_answer() throws Exception {
    String secret = made.get("secret").asText();
    Reply wrong = signed("w", "" + Instant.now().getEpochSecond(), "v1,AAAA");
    Reply unknown =
        new TestSender(api.port(), UUID.randomUUID().toString(), secret).deliver("w", REVIEW);
    Reply noId = new TestSender(api.port(), "nothing", secret).deliver("w", REVIEW);
    String id = made.at("/hook/id").asText();
    client.send("POST", "/v1/hooks/" + id + "/disable", null).expect(200);
    Reply disabled = sender.deliver("w", REVIEW);

    for (Reply reply : List.of(wrong, unknown, noId, disabled)) {
      reply.expectProblem(401, "HOOK_SIGNATURE_INVALID");
      assertThat(reply.body()).isEqualTo(wrong.body());
      assertThat(reply.response().headers().map().keySet())
          .isEqualTo(wrong.response().headers().map().keySet());
    }
    client.send("POST", "/v1/hooks/" + id + "/enable", null).expect(200);
    sender.deliver("w", REVIEW).expect(202);
  }

  @Test
  void after_a_rotation_both_secrets_count_until_the_old_one_ends() throws Exception {
    String id = made.at("/hook/id").asText();
    JsonNode rotated =
        client.send("POST", "/v1/hooks/" + id + "/secret-rotation", "{}").expect(200).json();
    TestSender renewed = sender(rotated);

    sender.deliver("old", REVIEW).expect(202);
    renewed.deliver("new", REVIEW).expect(202);
    api.sql(
        "UPDATE onceward.hooks SET previous_secret_expires_at = now() - interval '1 s' WHERE previous_secret IS NOT NULL");
    sender.deliver("old-2", REVIEW).expectProblem(401, "HOOK_SIGNATURE_INVALID");
    renewed.deliver("new-2", REVIEW).expect(202);
    client
        .send("POST", "/v1/hooks/" + id + "/secret-rotation", "{\"overlap_seconds\":0}")
        .expect(200);
    renewed.deliver("new-3", REVIEW).expectProblem(401, "HOOK_SIGNATURE_INVALID");
  }

  @Test
  void a_form_that_is_not_valid_is_a_rejected_receipt_and_the_id_may_come_again() throws Exception {
    sender.deliver("f", "{\"data\":{\"listing_id\":\"l\"}}").expectProblem(400, "FIELD_REQUIRED");
    assertThat(
            text(
                "SELECT status || ' ' || detail FROM onceward.hook_receipts WHERE hook_id = '"
                    + made.at("/hook/id").asText()
                    + "'"))
        .startsWith("rejected FIELD_REQUIRED: ");
    assertThat(effects()).isEqualTo(new Effects(0, 0, 0, 1));

    sender.deliver("f", REVIEW).expect(202);

    assertThat(effects()).isEqualTo(new Effects(1, 1, 1, 1));
    sender.deliver("g", "{").expectProblem(400, "JSON_MALFORMED");
    sender
        .deliver("h", REVIEW.replace("A lamp", "sk-abcdefghijklmnopqrstuvwx"))
        .expectProblem(400, "SECRET_REFUSED");
    assertThat(effects()).isEqualTo(new Effects(1, 1, 1, 2));
  }

  @Test
  void when_the_work_fails_the_key_executes_at_the_next_delivery() throws Exception {
    api.sql(
        "ALTER TABLE onceward.outbox_events ADD CONSTRAINT broken CHECK (aggregate_type <> 'run')");
    sender.deliver("x", REVIEW).expectProblem(500, "INTERNAL_ERROR");
    api.sql("ALTER TABLE onceward.outbox_events DROP CONSTRAINT broken");
    assertThat(effects()).isEqualTo(new Effects(0, 0, 0, 1));

    sender.deliver("x", REVIEW).expect(202);

    assertThat(effects()).isEqualTo(new Effects(1, 1, 1, 1));
  }

  @Test
  void a_deleted_hook_takes_its_receipts_along_and_is_unknown() throws Exception {
    sender.deliver("d", REVIEW).expect(202);
    client
        .send("DELETE", made.at("/hook/path").asText().replace("/hooks", "/v1/hooks"), null)
        .expect(200);

    sender.deliver("d", REVIEW).expectProblem(401, "HOOK_SIGNATURE_INVALID");
    assertThat(effects()).isEqualTo(new Effects(1, 1, 1, 0));
  }

  private Reply signed(String id, String timestamp, String signature) {
    return sender.raw(
        REVIEW, "webhook-id", id, "webhook-timestamp", timestamp, "webhook-signature", signature);
  }

  private static JsonNode hook(TestClient administrator, String action) {
    return administrator
        .send("POST", "/v1/hooks", "{\"name\":\"a hook\",\"action\":" + action + "}")
        .expect(201)
        .json();
  }

  private TestSender sender(JsonNode hook) {
    return new TestSender(api.port(), hook.at("/hook/id").asText(), hook.get("secret").asText());
  }

  /** Undoes the starts of all runs. */
  private void deleteRuns() throws SQLException {
    api.sql("DELETE FROM onceward.runs");
  }

  /** Changes the receipts of this test's hook. */
  private void receipts(String change) throws SQLException {
    api.sql(
        "UPDATE onceward.hook_receipts "
            + change
            + " WHERE hook_id = '"
            + made.at("/hook/id").asText()
            + "'");
  }

  /** Rows of this test's workspace. */
  private record Effects(int runs, int operations, int events, int receipts) {}

  private Effects effects() throws SQLException {
    String workspace =
        text(
            "SELECT workspace_id::text FROM onceward.access_keys WHERE key_id = '"
                + client.accessKey().split("_")[1]
                + "'");
    String sql =
        "SELECT (SELECT count(*) FROM onceward.runs WHERE workspace_id = w.id),"
            + " (SELECT count(*) FROM onceward.operations WHERE workspace_id = w.id),"
            + " (SELECT count(*) FROM onceward.outbox_events WHERE workspace_id = w.id),"
            + " (SELECT count(*) FROM onceward.hook_receipts WHERE workspace_id = w.id)"
            + " FROM (SELECT '"
            + workspace
            + "'::uuid AS id) w";
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new Effects(row.getInt(1), row.getInt(2), row.getInt(3), row.getInt(4));
    }
  }

  private String text(String sql) throws SQLException {
    try (Connection connection = database.superuser();
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }
}
