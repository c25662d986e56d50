package dev.onceward.ops.console;

import static dev.onceward.ops.console.ConsoleWorld.ABSENT;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.operation.NewTask;
import dev.onceward.db.test.Tenant;
import dev.onceward.ops.DeadLetterRows;
import dev.onceward.ops.SentEvents;
import java.net.URLEncoder;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** What keeps others from acting through a browser that is signed in. */
@ExtendWith(ConsoleWorld.Shared.class)
final class GuardTest {
  private final SentEvents world;
  private final Tenant tenant;
  private final DeadLetterRows rows;
  private final RunningConsole console;

  GuardTest(ConsoleWorld shared) {
    world = shared.events();
    tenant = shared.tenant();
    rows = shared.rows();
    console = shared.console();
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
  void what_somebody_wrote_is_shown_and_never_run() throws Exception {
    String hostile = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'";
    rows.operation(tenant, "h", "failed", "HOSTILE_CASE", hostile);
    Visitor reader = Visitor.signedIn(console, Visitor.READER);

    for (String page :
        List.of(
            "/dead-letters?code=HOSTILE_CASE",
            "/dead-letters/list?code=HOSTILE_CASE",
            "/life?id=" + URLEncoder.encode(hostile, UTF_8),
            "/events?type=" + URLEncoder.encode(hostile, UTF_8))) {
      assertThat(reader.get(page).body())
          .as(page)
          .contains("&lt;script")
          .doesNotContain("<script>alert", "<img", "\"'\"");
    }
  }
}
