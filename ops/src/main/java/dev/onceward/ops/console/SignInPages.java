package dev.onceward.ops.console;

import dev.onceward.ops.DatabaseFailures;
import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.console.http.Route;
import dev.onceward.ops.console.session.Sessions;
import dev.onceward.ops.console.session.SignInThrottle;
import dev.onceward.ops.console.session.Tokens;
import dev.onceward.process.Secret;
import dev.onceward.process.StartupException;
import java.sql.SQLException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Signing in and out. Thread-safe. */
final class SignInPages {
  private static final Logger LOG = LoggerFactory.getLogger(SignInPages.class);
  private static final String INVALID_PASSWORD = "28P01";
  private static final String INVALID_LOGIN = "28000";
  private static final int MAX_NAME = 63;

  private final Guard guard;
  private final Sessions sessions;
  private final SignInThrottle throttle;
  private final Cookies cookies;
  private final Pages pages;

  SignInPages(
      Guard guard, Sessions sessions, SignInThrottle throttle, Cookies cookies, Pages pages) {
    this.guard = guard;
    this.sessions = sessions;
    this.throttle = throttle;
    this.cookies = cookies;
    this.pages = pages;
  }

  List<Route> routes() {
    return List.of(
        Route.get("/sign-in", this::form),
        Route.post("/sign-in", this::signIn),
        guard.post("/sign-out", "/", (request, session) -> signOut(request)));
  }

  private Reply form(Request request) {
    String back = Guard.localPath(request.query("return"));
    if (guard.session(request) != null) {
      return Reply.redirect(back);
    }
    return form(
        200,
        back,
        null,
        request.query("ended") != null && !back.equals("/")
            ? "Sign in to go on. If you had signed in before, that session has ended; nothing was"
                + " changed."
            : null,
        null);
  }

  /** The form with a token of its own, which the browser brings back twice. */
  private Reply form(
      int status,
      String back,
      @Nullable String user,
      @Nullable String note,
      @Nullable String problem) {
    String token = Tokens.random();
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("back", back);
    values.put("user", user);
    values.put("note", note);
    values.put("problem", problem);
    return pages
        .openPage(status, "signin", "Sign in", token, values)
        .withCookie(cookies.set(cookies.signInName(), token));
  }

  private Reply signIn(Request request) {
    String back = Guard.localPath(request.field("return"));
    String user = request.field("user");
    String password = request.exactField("password");
    String token = request.cookie(cookies.signInName());
    if (token == null
        || !guard.isFromHere(request)
        || !Tokens.same(token, request.exactField(Guard.CSRF_FIELD))) {
      return form(403, back, user, null, "The form had expired. Try again.");
    }
    if (user == null
        || user.length() > MAX_NAME
        || password == null
        || password.isEmpty()
        || hasNul(user)
        || hasNul(password)) {
      return form(400, back, user, null, "Give a name and a password.");
    }
    Duration wait = throttle.waitOf(request.address());
    if (!wait.isZero()) {
      long seconds = wait.toSeconds() + 1;
      return form(
              429,
              back,
              user,
              null,
              "Too many failed attempts from this address. Wait " + seconds + " s.")
          .withHeader("Retry-After", Long.toString(seconds));
    }
    return signIn(request, back, user, new Secret(password));
  }

  private Reply signIn(Request request, String back, String user, Secret password) {
    try {
      Sessions.SignIn signedIn = sessions.signIn(user, password);
      String token = signedIn.token();
      if (token == null) {
        if (signedIn.refusal() == Sessions.Refusal.NO_MEMBER) {
          throttle.failed(request.address());
          LOG.info("sign-in refused: the login is no member of onceward_ops or onceward_ops_read");
        }
        return form(
            403,
            back,
            user,
            null,
            signedIn.refusal() == Sessions.Refusal.FULL
                ? "Too many people are signed in. Try again later."
                : "This login may not look here: it must be a member of onceward_ops or"
                    + " onceward_ops_read, and no superuser.");
      }
      throttle.succeeded(request.address());
      sessions.signOut(request.cookie(cookies.sessionName()));
      return Reply.redirect(back)
          .withCookie(cookies.set(cookies.sessionName(), token))
          .withCookie(cookies.clear(cookies.signInName()));
    } catch (SQLException failure) {
      String state = failure.getSQLState();
      if (INVALID_PASSWORD.equals(state) || INVALID_LOGIN.equals(state)) {
        throttle.failed(request.address());
        LOG.info("sign-in refused: wrong name or password");
        return form(403, back, user, null, "Name or password is wrong.");
      }
      StartupException known = DatabaseFailures.classify(failure);
      LOG.warn("sign-in failed: SQLSTATE {}", state);
      return form(
          503,
          back,
          user,
          null,
          known == null
              ? "The database refuses (SQLSTATE " + state + ")."
              : Pages.capital(String.valueOf(known.getMessage())) + ". " + known.remedy() + ".");
    }
  }

  private Reply signOut(Request request) {
    sessions.signOut(request.cookie(cookies.sessionName()));
    return Reply.redirect("/sign-in").withCookie(cookies.clear(cookies.sessionName()));
  }

  private static boolean hasNul(String text) {
    return text.indexOf('\0') >= 0;
  }
}
