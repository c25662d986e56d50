package dev.onceward.ops.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.embedded.PostgresServer;
import dev.onceward.ops.DeadLetterRows;
import dev.onceward.ops.SentEvents;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Who may come in, and what a session is good for. */
@ExtendWith(ConsoleWorld.Shared.class)
final class SignInPagesTest {
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

  private final SentEvents world;
  private final DeadLetterRows rows;
  private final RunningConsole console;

  SignInPagesTest(ConsoleWorld shared) {
    world = shared.events();
    rows = shared.rows();
    console = shared.console();
  }

  @Test
  void without_a_session_every_page_leads_to_the_sign_in_and_back() throws Exception {
    Visitor stranger = new Visitor(console.address());

    for (String page : PAGES) {
      HttpResponse<String> answer = stranger.get(page);
      assertThat(answer.statusCode()).as(page).isEqualTo(303);
      assertThat(Visitor.location(answer)).as(page).startsWith("/sign-in?ended=1&return=%2F");
    }
    String target = Visitor.location(stranger.get("/events?type=order.placed"));
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
    assertThat(Visitor.location(in)).isEqualTo("/events?type=order.placed");
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

    assertThat(Visitor.location(answer)).isEqualTo("/sign-in?ended=1&return=%2Fdead-letters");
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
      assertThat(Visitor.location(in)).isEqualTo("/");
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
  void signing_out_ends_the_session_for_good() throws Exception {
    Visitor reader = Visitor.signedIn(console, Visitor.READER);
    String cookie = reader.cookies().get("onceward_session");
    reader.postFrom(reader.get("/"), "/sign-out");

    reader.cookies().put("onceward_session", cookie);
    assertThat(reader.get("/").statusCode()).isEqualTo(303);
  }
}
