package dev.onceward.ops.console;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.console.http.Route;
import dev.onceward.ops.console.session.Session;
import dev.onceward.ops.console.session.Sessions;
import dev.onceward.ops.console.session.Tokens;
import java.net.URI;
import java.net.URLEncoder;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Lets nobody in without a session, and no form that is not from a page of ours. Thread-safe. */
final class Guard {
  static final String CSRF_FIELD = "csrf";

  private final Sessions sessions;
  private final @Nullable URI publicUrl;
  private final Pages pages;
  private final Cookies cookies;

  Guard(Sessions sessions, @Nullable URI publicUrl, Cookies cookies, Pages pages) {
    this.sessions = sessions;
    this.publicUrl = publicUrl;
    this.cookies = cookies;
    this.pages = pages;
  }

  /** Answers whoever is signed in. */
  @FunctionalInterface
  interface Signed {
    Reply answer(Request request, Session session) throws Exception;
  }

  /** A page for whoever is signed in. */
  Route get(String path, Signed page) {
    return Route.get(
        path,
        request -> {
          Session session = session(request);
          return session == null
              ? toSignIn(request, request.target())
              : page.answer(request, session);
        });
  }

  /**
   * A form for whoever is signed in.
   *
   * @param from the page that it stands on, where one gets back to after signing in again
   */
  Route post(String path, String from, Signed form) {
    return Route.post(
        path,
        request -> {
          Session session = session(request);
          if (session == null) {
            return toSignIn(request, from);
          }
          if (!isFromHere(request)
              || !Tokens.same(session.csrfToken(), request.exactField(CSRF_FIELD))) {
            return pages.message(
                session,
                403,
                "This form is not from here",
                "It did not come from a page of this session, so nothing was changed.",
                "Open the page again and repeat it.");
          }
          return form.answer(request, session);
        });
  }

  /** A form that only operators may send. */
  Route postAsOperator(String path, String from, Signed form) {
    return post(
        path,
        from,
        (request, session) ->
            session.isOperator()
                ? form.answer(request, session)
                : pages.message(
                    session,
                    403,
                    "Only operators may do this",
                    "Your login may look, and may change nothing. Nothing was changed.",
                    "Sign in with a login that is a member of onceward_ops."));
  }

  @Nullable Session session(Request request) {
    return sessions.find(request.cookie(cookies.sessionName()));
  }

  /** Whether a browser says that the form stands on a page of ours; one always says so. */
  boolean isFromHere(Request request) {
    String site = request.header("Sec-Fetch-Site");
    if (site != null && !site.equals("same-origin") && !site.equals("none")) {
      return false;
    }
    String origin = request.header("Origin");
    if (origin == null) {
      return true;
    }
    if (publicUrl != null) {
      return origin.equalsIgnoreCase(publicUrl.toString());
    }
    String host = request.header("Host");
    return host != null
        && origin.toLowerCase(Locale.ROOT).equals("http://" + host.toLowerCase(Locale.ROOT));
  }

  private static Reply toSignIn(Request request, String target) {
    if (!request.isPartial()) {
      return Reply.redirect(signIn(target));
    }
    String shown = request.header("HX-Current-URL");
    String back = "/";
    if (shown != null) {
      try {
        URI uri = URI.create(shown);
        String query = uri.getRawQuery();
        back = uri.getRawPath() + (query == null ? "" : "?" + query);
      } catch (IllegalArgumentException odd) {
        back = "/";
      }
    }
    return Reply.page(401, "").withHeader("HX-Redirect", signIn(back));
  }

  private static String signIn(String back) {
    return "/sign-in?ended=1&return=" + URLEncoder.encode(back, UTF_8);
  }

  /** A path of ours, whatever somebody wrote; the overview if it is none. */
  static String localPath(@Nullable String path) {
    boolean local =
        path != null
            && path.startsWith("/")
            && !path.startsWith("//")
            && path.indexOf('\\') < 0
            && path.chars().allMatch(character -> character > ' ' && character < 127);
    return local && path != null ? path : "/";
  }
}
