package dev.onceward.ops.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.test.Tenant;
import dev.onceward.embedded.PostgresServer;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.ops.DeadLetterRows;
import dev.onceward.ops.SentEvents;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(InfrastructureExtension.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class ConsoleHttpTest {
  private static final List<String> PAGES =
      List.of(
          "/",
          "/live",
          "/samples",
          "/events",
          "/life?id=x",
          "/dead-letters",
          "/dead-letters/list",
          "/dead-letters/show?id=x",
          "/replays",
          "/replays/0190e0a4-0000-7000-8000-000000000001",
          "/replays/0190e0a4-0000-7000-8000-000000000001/progress",
          "/doctor",
          "/actions");

  private static final String ABSENT = "0190e0a4-0000-7000-8000-000000000001";

  private SentEvents world;
  private Tenant tenant;
  private DeadLetterRows rows;
  private RunningConsole console;

  @BeforeAll
  void prepare(PostgresServer server, TestTopics topics, @TempDir Path directory) throws Exception {
    world = new SentEvents(server, topics, directory);
    tenant = world.database().newTenant();
    rows = new DeadLetterRows(world.database());
    world.write(tenant, "order", 1200);
    world.audit();
    console = RunningConsole.over(world);
  }

  @AfterAll
  void drop() throws Exception {
    console.close();
    world.close();
  }

  @Test
  void without_a_session_every_page_leads_to_the_sign_in_and_back() throws Exception {
    Visitor stranger = new Visitor(console.address());

    for (String page : PAGES) {
      HttpResponse<String> answer = stranger.get(page);
      assertThat(answer.statusCode()).as(page).isEqualTo(303);
      assertThat(location(answer)).as(page).startsWith("/sign-in?ended=1&return=%2F");
    }
    String target = location(stranger.get("/events?type=order.placed"));
    assertThat(target).endsWith("return=%2Fevents%3Ftype%3Dorder.placed");
    HttpResponse<String> form = stranger.get(target);
    assertThat(form.body()).contains("nothing was changed");
    HttpResponse<String> in =
        stranger.postFrom(
            form,
            "/sign-in",
            "user",
            Visitor.READER,
            "password",
            "test-password",
            "return",
            Visitor.hidden(form, "return"));
    assertThat(location(in)).isEqualTo("/events?type=order.placed");
  }

  @Test
  void a_part_without_a_session_sends_the_whole_page_to_the_sign_in() throws Exception {
    HttpResponse<String> answer =
        new Visitor(console.address())
            .get(
                "/live",
                "HX-Request",
                "true",
                "HX-Current-URL",
                console.address() + "/replays/7?x=1");

    assertThat(answer.statusCode()).isEqualTo(401);
    assertThat(answer.headers().firstValue("HX-Redirect"))
        .hasValue("/sign-in?ended=1&return=%2Freplays%2F7%3Fx%3D1");
  }

  @Test
  void a_form_of_a_lost_session_changes_nothing_and_leads_to_the_sign_in() throws Exception {
    String before = rows.everything();
    HttpResponse<String> answer =
        new Visitor(console.address()).post("/dead-letters/change", "act", "redrive");

    assertThat(location(answer)).isEqualTo("/sign-in?ended=1&return=%2Fdead-letters");
    assertThat(rows.everything()).isEqualTo(before);
  }

  @Test
  void signing_in_leads_to_no_other_site() throws Exception {
    for (String away : List.of("//evil.example", "https://evil.example", "/\\evil.example")) {
      Visitor visitor = new Visitor(console.address());
      HttpResponse<String> form = visitor.get("/sign-in");
      HttpResponse<String> in =
          visitor.postFrom(
              form,
              "/sign-in",
              "user",
              Visitor.READER,
              "password",
              "test-password",
              "return",
              away);
      assertThat(location(in)).isEqualTo("/");
    }
  }

  @Test
  void a_wrong_name_and_a_wrong_password_look_the_same_and_are_slowed() throws Exception {
    try (RunningConsole own = RunningConsole.over(world)) {
      Visitor visitor = new Visitor(own.address());
      HttpResponse<String> name = visitor.signIn("nobody_of_that_name", "x");
      HttpResponse<String> password = visitor.signIn(Visitor.OPERATOR, "my-secret-guess");

      assertThat(name.statusCode()).isEqualTo(403);
      assertThat(password.statusCode()).isEqualTo(403);
      assertThat(name.body()).contains("Name or password is wrong");
      assertThat(password.body())
          .contains("Name or password is wrong")
          .doesNotContain("my-secret-guess");
      HttpResponse<String> slowed = password;
      for (int i = 0; i < 12 && slowed.statusCode() != 429; i++) {
        slowed = visitor.signIn(Visitor.OPERATOR, "again");
      }
      assertThat(slowed.statusCode()).isEqualTo(429);
      assertThat(slowed.headers().firstValue("Retry-After")).isPresent();
    }
  }

  @Test
  void a_superuser_and_a_role_that_is_no_member_are_refused() throws Exception {
    Visitor visitor = new Visitor(console.address());
    HttpResponse<String> app = visitor.signIn("onceward_app", "test-password");

    assertThat(app.statusCode()).isEqualTo(403);
    assertThat(app.body()).contains("may not look here");
    PostgresServer server = world.database().server();
    HttpResponse<String> superuser = visitor.signIn(server.superuser(), server.superuserPassword());
    assertThat(superuser.statusCode()).isEqualTo(403);
    assertThat(superuser.body()).contains("may not look here");
    assertThat(visitor.get("/").statusCode()).isEqualTo(303);
  }

  @Test
  void the_cookie_is_for_this_site_and_no_script_and_over_tls_for_nothing_else() throws Exception {
    Visitor visitor = new Visitor(console.address());
    HttpResponse<String> in = visitor.signIn(Visitor.READER, "test-password");
    assertThat(in.headers().allValues("Set-Cookie").get(0))
        .matches("onceward_session=[A-Za-z0-9_-]{43}; Path=/; HttpOnly; SameSite=Strict");

    try (RunningConsole behindProxy =
        RunningConsole.over(
            world, Map.of("onceward.console.public-url", "https://console.example.com"))) {
      HttpResponse<String> secure =
          new Visitor(behindProxy.address()).signIn(Visitor.READER, "test-password");
      assertThat(secure.headers().allValues("Set-Cookie").get(0))
          .startsWith("__Host-onceward_session=")
          .endsWith("; Path=/; HttpOnly; SameSite=Strict; Secure");
    }
  }

  @Test
  void every_answer_forbids_inline_scripts_frames_and_keeping_it() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);

    for (String page : List.of("/", "/sign-in", "/events", "/no-such-page", "/replays/x")) {
      HttpResponse<String> answer = reader.get(page);
      assertThat(answer.headers().firstValue("Content-Security-Policy"))
          .as(page)
          .hasValueSatisfying(
              policy ->
                  assertThat(policy)
                      .contains("default-src 'none'", "script-src 'self'", "style-src 'self'")
                      .contains("frame-ancestors 'none'", "form-action 'self'", "base-uri 'none'")
                      .doesNotContain("unsafe"));
      assertThat(answer.headers().firstValue("X-Content-Type-Options")).hasValue("nosniff");
      assertThat(answer.headers().firstValue("Referrer-Policy")).hasValue("same-origin");
      assertThat(answer.headers().firstValue("Cache-Control")).hasValue("no-store");
      assertThat(answer.body()).doesNotContain("<style", "style=\"", "onclick", "javascript:");
    }
  }

  @Test
  void a_form_from_elsewhere_changes_nothing() throws Exception {
    NewTask task = rows.operation(tenant, "csrf", "failed", "CSRF_CASE", "refused");
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    String token = Visitor.csrf(operator.get("/dead-letters"));
    String id = task.operationId().toString();
    HttpResponse<String> plan =
        operator.post("/dead-letters/plan", "csrf", token, "act", "redrive", "id", id);
    String fingerprint = Visitor.hidden(plan, "fingerprint");
    String before = rows.everything();
    String[] form = {"act", "redrive", "id", id, "fingerprint", fingerprint};
    String[] withToken = {"csrf", token, "act", "redrive", "id", id, "fingerprint", fingerprint};

    assertThat(operator.post("/dead-letters/change", form).statusCode()).isEqualTo(403);
    for (List<String> headers :
        List.of(
            List.of("Origin", "https://evil.example"),
            List.of("Origin", "null"),
            List.of("Sec-Fetch-Site", "cross-site"),
            List.of("Sec-Fetch-Site", "same-site"))) {
      assertThat(operator.postWithHeaders("/dead-letters/change", headers, withToken).statusCode())
          .as("%s", headers)
          .isEqualTo(403);
    }
    assertThat(rows.everything()).isEqualTo(before);

    HttpResponse<String> own =
        operator.postWithHeaders(
            "/dead-letters/change",
            List.of("Origin", console.address().toString(), "Sec-Fetch-Site", "same-origin"),
            withToken);
    assertThat(own.body()).contains("Were redriven: operation 1.");
  }

  @Test
  void who_may_only_look_sees_no_button_and_changes_nothing() throws Exception {
    NewTask task = rows.operation(tenant, "reader", "failed", "READER_CASE", "refused");
    Visitor reader = Visitor.signedIn(console, Visitor.READER);
    String before = rows.everything();
    String id = task.operationId().toString();

    assertThat(reader.get("/dead-letters").body())
        .contains("READER_CASE")
        .doesNotContain("Redrive…", "Discard…");
    assertThat(reader.get("/replays").body()).doesNotContain("Dry run");
    HttpResponse<String> page = reader.get("/");
    for (String path :
        List.of(
            "/dead-letters/plan",
            "/dead-letters/change",
            "/replays/plan",
            "/replays/start",
            "/replays/" + ABSENT + "/cancel",
            "/replays/" + ABSENT + "/resume")) {
      assertThat(reader.postFrom(page, path, "act", "redrive", "id", id, "all", "1").statusCode())
          .as(path)
          .isEqualTo(403);
    }
    assertThat(rows.everything()).isEqualTo(before);
  }

  @Test
  void signing_out_ends_the_session_for_good() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);
    String cookie = reader.cookies().get("onceward_session");
    reader.postFrom(reader.get("/"), "/sign-out");

    reader.cookies().put("onceward_session", cookie);
    assertThat(reader.get("/").statusCode()).isEqualTo(303);
  }

  @Test
  void a_group_that_has_changed_since_the_dry_run_stays_as_it_is() throws Exception {
    rows.operation(tenant, "stale-1", "failed", "STALE_CASE", "one cause");
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    HttpResponse<String> groups = operator.get("/dead-letters?code=STALE_CASE");
    String group = Visitor.hidden(groups, "group");
    HttpResponse<String> plan =
        operator.postFrom(groups, "/dead-letters/plan", "act", "redrive", "group", group);
    assertThat(plan.body()).contains("Redrive 1 dead letter?");
    rows.operation(tenant, "stale-2", "failed", "STALE_CASE", "one cause");
    String before = rows.everything();

    HttpResponse<String> answer =
        operator.postFrom(
            plan,
            "/dead-letters/change",
            "act",
            "redrive",
            "group",
            group,
            "fingerprint",
            Visitor.hidden(plan, "fingerprint"));

    assertThat(answer.statusCode()).isEqualTo(409);
    assertThat(answer.body()).contains("nothing was changed", "Redrive 2 dead letters?");
    assertThat(rows.everything()).isEqualTo(before);
  }

  @Test
  void discarding_needs_a_reason_without_secrets_and_is_recorded_with_the_login() throws Exception {
    NewTask task = rows.operation(tenant, "discard", "dead", "DISCARD_CASE", "a cause");
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    String id = task.operationId().toString();
    HttpResponse<String> plan =
        operator.postFrom(operator.get("/"), "/dead-letters/plan", "act", "discard", "id", id);
    String fingerprint = Visitor.hidden(plan, "fingerprint");

    for (String reason : List.of("", "see https://x/?token=abc")) {
      HttpResponse<String> refused =
          operator.postFrom(
              plan,
              "/dead-letters/change",
              "act",
              "discard",
              "id",
              id,
              "fingerprint",
              fingerprint,
              "reason",
              reason);
      assertThat(refused.statusCode()).as(reason).isEqualTo(422);
    }
    HttpResponse<String> done =
        operator.postFrom(
            plan,
            "/dead-letters/change",
            "act",
            "discard",
            "id",
            id,
            "fingerprint",
            fingerprint,
            "reason",
            "the shop was closed");
    assertThat(done.body()).contains("Were discarded: operation 1.");
    assertThat(
            rows.text(
                "SELECT acted_by || ': ' || reason FROM onceward.dead_letter_acts WHERE operation_id = '"
                    + id
                    + "'"))
        .isEqualTo("onceward_ops: the shop was closed");
    assertThat(operator.get("/actions").body())
        .contains("dead-letters discard", "--reason=the shop was closed", "onceward_ops");
  }

  @Test
  void many_events_are_replayed_only_when_their_number_is_typed() throws Exception {
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    HttpResponse<String> plan =
        operator.postFrom(
            operator.get("/replays"), "/replays/plan", "type", "order.placed", "rate", "1000");
    assertThat(plan.body()).contains("Replay 1,200 events?", "Type their number");
    String before = replays();

    HttpResponse<String> unsure = start(operator, plan, "typedCount", "12");
    assertThat(unsure.statusCode()).isEqualTo(422);
    assertThat(unsure.body()).contains("Nothing was started");
    HttpResponse<String> stale = start(operator, plan, "shownCount", "1199");
    assertThat(stale.statusCode()).isEqualTo(409);
    assertThat(stale.body()).contains("nothing was started");
    assertThat(replays()).isEqualTo(before);
  }

  @Test
  void a_replay_is_cancelled_where_it_can_go_on_and_resumed_to_its_end() throws Exception {
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    long sentBefore = world.endTotal(world.topic("order"));
    HttpResponse<String> plan =
        operator.postFrom(
            operator.get("/replays"), "/replays/plan", "type", "order.placed", "rate", "300");
    String page = location(start(operator, plan, "typedCount", "1,200"));
    awaitContains(operator, page + "/progress", "id=\"cancel\"");
    assertThat(operator.get(page + "/progress").body()).contains("hx-trigger=\"every 1s\"");

    operator.postFrom(operator.get(page), page + "/cancel");
    awaitContains(operator, page, "id=\"resume\"");
    assertThat(operator.get(page).body()).contains("INTERRUPTED");
    operator.postFrom(operator.get(page), page + "/resume");
    awaitContains(operator, page, "1,200 of 1,200 sent");

    awaitEnd(operator, page);
    assertThat(world.endTotal(world.topic("order")) - sentBefore).isEqualTo(1200);
    assertThat(
            world.superuser(
                "SELECT string_agg(operator || ' ' || command || ' ' || state, ',' ORDER BY id)"
                    + " FROM onceward.ops_actions WHERE arguments LIKE '%type=order.placed%' OR arguments = '"
                    + page.substring(page.lastIndexOf('/') + 1)
                    + "'"))
        .isEqualTo(
            "onceward_ops replay started,onceward_ops replay interrupted,onceward_ops replay resume"
                + " started,onceward_ops replay resume succeeded");
    assertThat(operator.postFrom(operator.get(page), page + "/cancel").body())
        .contains("completed by now");
  }

  @Test
  void what_is_sent_after_the_dry_run_is_no_part_of_the_replay() throws Exception {
    world.write(tenant, "thing", 3);
    world.audit();
    Visitor operator = Visitor.signedIn(console, Visitor.OPERATOR);
    HttpResponse<String> plan =
        operator.postFrom(
            operator.get("/replays"), "/replays/plan", "type", "thing.placed", "rate", "100");
    world.write(tenant, "thing", 2);
    world.audit();

    String page = location(start(operator, plan, "rate", "100"));

    awaitContains(operator, page, "3 of 3 sent");
    awaitEnd(operator, page);
  }

  @Test
  void a_filter_that_matches_nothing_and_one_that_cannot_be_meant_say_so() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);

    assertThat(reader.get("/events?type=no.such").body()).contains("No event matches this filter");
    assertThat(reader.get("/dead-letters?code=NO_SUCH").body())
        .contains("No dead letter matches this filter");
    for (String wrong :
        List.of(
            "/events?workspace=x",
            "/events?from=yesterday",
            "/events?from=1h&to=2h",
            "/events?status=x",
            "/events?aggregate=/x",
            "/events?after=1",
            "/dead-letters?kind=x",
            "/dead-letters?group=zz",
            "/actions?before=x")) {
      assertThat(reader.get(wrong).statusCode()).as(wrong).isEqualTo(400);
    }
    assertThat(reader.get("/life?id=no-such-id").statusCode()).isEqualTo(404);
    assertThat(reader.get("/replays/" + ABSENT).statusCode()).isEqualTo(404);
    assertThat(reader.get("/dead-letters/show?id=" + ABSENT).statusCode()).isEqualTo(404);
  }

  @Test
  void pages_of_events_follow_each_other_without_gap_or_overlap() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);
    String first = reader.get("/events?type=order.placed").body();
    String next = first.replaceAll("(?s).*id=\"older\" rel=\"next\" href=\"([^\"]+)\".*", "$1");
    List<String> ids = ids(first);
    List<String> more = ids(reader.get(next.replace("&amp;", "&")).body());

    assertThat(ids).hasSize(50);
    assertThat(more).hasSize(50).doesNotContainAnyElementsOf(ids);
    assertThat(next).contains("type=order.placed");
  }

  @Test
  void what_somebody_wrote_is_shown_and_never_run() throws Exception {
    String hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'";
    rows.operation(tenant, "h", "failed", "HOSTILE_CASE", hostile);
    Visitor reader = Visitor.signedIn(console, Visitor.READER);

    for (String page :
        List.of(
            "/dead-letters?code=HOSTILE_CASE",
            "/dead-letters/list?code=HOSTILE_CASE",
            "/life?id="
                + java.net.URLEncoder.encode(hostile, java.nio.charset.StandardCharsets.UTF_8),
            "/events?type="
                + java.net.URLEncoder.encode(hostile, java.nio.charset.StandardCharsets.UTF_8))) {
      assertThat(reader.get(page).body())
          .as(page)
          .contains("&lt;script")
          .doesNotContain("<script>alert", "<img", "\"'\"");
    }
  }

  @Test
  void the_overview_shows_what_is_wrong_and_why() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);
    awaitContains(reader, "/live", "its replication slot does not exist");
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(reader.get("/samples").body())
                    .containsPattern("\"events_per_second\" : \\[ [0-9]"));
    assertThat(reader.get("/doctor").body()).contains("checks,");
  }

  @Test
  void without_database_the_console_says_so_and_is_not_ready() throws Exception {
    try (RunningConsole alone =
        RunningConsole.over(
            world, Map.of("onceward.database.url", "jdbc:postgresql://127.0.0.1:1/none"))) {
      Visitor visitor = new Visitor(alone.address());
      HttpResponse<String> answer = visitor.signIn(Visitor.OPERATOR, "test-password");
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("The database does not answer");
      assertThat(visitor.get("/health/live").statusCode()).isEqualTo(200);
      assertThat(visitor.get("/health/ready").statusCode()).isEqualTo(503);
    }
    Awaitility.await()
        .atMost(Duration.ofSeconds(20))
        .until(() -> new Visitor(console.address()).get("/health/ready").statusCode() == 200);
  }

  @Test
  void without_kafka_the_rest_is_shown() throws Exception {
    rows.operation(tenant, "no-kafka", "failed", "NO_KAFKA_CASE", "a cause");
    try (RunningConsole alone =
        RunningConsole.over(world, Map.of("onceward.kafka.bootstrap.servers", "127.0.0.1:1"))) {
      Visitor reader = Visitor.signedIn(alone, Visitor.READER);
      assertThat(reader.get("/dead-letters?code=NO_KAFKA_CASE").body())
          .contains("NO_KAFKA_CASE", "Kafka does not answer");
      awaitContains(reader, "/live", "Kafka does not answer");
    }
  }

  private HttpResponse<String> start(
      Visitor operator, HttpResponse<String> plan, String field, String value) throws Exception {
    Map<String, String> fields = new java.util.LinkedHashMap<>();
    for (String name :
        List.of("to", "toEvent", "type", "rate", "shownCount", "shownFirst", "shownLast")) {
      fields.put(name, Visitor.hidden(plan, name));
    }
    fields.put(field, value);
    return operator.postFrom(
        plan,
        "/replays/start",
        fields.entrySet().stream()
            .flatMap(one -> java.util.stream.Stream.of(one.getKey(), one.getValue()))
            .toArray(String[]::new));
  }

  private String replays() throws Exception {
    return world.superuser("SELECT count(*) FROM onceward.replays");
  }

  /** The page renews itself until the process has let go of the replay. */
  private static void awaitEnd(Visitor visitor, String page) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(
            () ->
                assertThat(visitor.get(page).body())
                    .contains("completed")
                    .doesNotContain("hx-trigger"));
  }

  private static void awaitContains(Visitor visitor, String page, String text) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(30))
        .untilAsserted(() -> assertThat(visitor.get(page).body()).contains(text));
  }

  private static List<String> ids(String page) {
    return java.util.regex.Pattern.compile("class=\"id\" href=\"/life\\?id=([0-9a-f-]{36})\"")
        .matcher(page)
        .results()
        .map(result -> UUID.fromString(result.group(1)).toString())
        .toList();
  }

  private static String location(HttpResponse<String> answer) {
    return answer.headers().firstValue("Location").orElse("no location in " + answer.body());
  }
}
