package dev.onceward.ops.console;

import dev.onceward.ops.BuildVersion;
import dev.onceward.ops.DatabaseFailures;
import dev.onceward.ops.console.http.ErrorPages;
import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.console.page.Shell;
import dev.onceward.ops.console.page.Templates;
import dev.onceward.ops.console.session.Session;
import dev.onceward.ops.kafka.KafkaFailures;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.util.HashMap;
import java.util.Map;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Renders pages, those of failures too. Thread-safe. */
final class Pages implements ErrorPages {
  private static final Logger LOG = LoggerFactory.getLogger(Pages.class);
  private static final String NOT_PERMITTED = "42501";

  private final Templates templates = new Templates();
  private final Function<Request, @Nullable Session> sessions;

  /**
   * @param sessions who asks; null if they are not signed in
   */
  Pages(Function<Request, @Nullable Session> sessions) {
    this.sessions = sessions;
  }

  /** A page for whoever is signed in. */
  Reply page(
      int status,
      Session session,
      String template,
      String place,
      String title,
      Map<String, ? extends @Nullable Object> values) {
    Map<String, @Nullable Object> all = new HashMap<>(values);
    all.put("shell", shell(session, title, place));
    return Reply.page(status, templates.render(template, all));
  }

  /** A page for whoever is not. */
  Reply openPage(
      int status,
      String template,
      String title,
      String csrfToken,
      Map<String, ? extends @Nullable Object> values) {
    Map<String, @Nullable Object> all = new HashMap<>(values);
    all.put("shell", new Shell(title, "", null, false, csrfToken, BuildVersion.text()));
    return Reply.page(status, templates.render(template, all));
  }

  /** A part of a page. */
  String part(String template, Map<String, ? extends @Nullable Object> values) {
    return templates.render(template, new HashMap<>(values));
  }

  /** A page that says one thing. */
  Reply message(@Nullable Session session, int status, String title, String text, String remedy) {
    Map<String, String> values = Map.of("text", text, "remedy", remedy);
    return session == null
        ? openPage(status, "message", title, "", values)
        : page(status, session, "message", "", title, values);
  }

  private static Shell shell(Session session, String title, String place) {
    return new Shell(
        title,
        place,
        session.user(),
        session.isOperator(),
        session.csrfToken(),
        BuildVersion.text());
  }

  @Override
  public Reply failed(Request request, Exception failure) {
    Session session = sessions.apply(request);
    boolean changing = request.method().equals("POST");
    if (failure instanceof BadInputException bad) {
      return message(
          session, 400, "That cannot be meant", String.valueOf(bad.getMessage()), "Correct it.");
    }
    if (failure instanceof SQLException sql && NOT_PERMITTED.equals(sql.getSQLState())) {
      return message(
          session,
          403,
          "Your login may not do this",
          "The database refuses it. Nothing was changed.",
          "Sign in with a login that is a member of onceward_ops.");
    }
    if (failure instanceof SQLTransientConnectionException) {
      return unavailable(
          session, "the database does not answer", "Check that the server runs, then try again");
    }
    StartupException known =
        failure instanceof StartupException startup
            ? startup
            : failure instanceof SQLException sql
                ? DatabaseFailures.classify(sql)
                : KafkaFailures.classify(failure);
    if (known == null) {
      String mark = UUID.randomUUID().toString();
      LOG.error("{} {} failed, mark {}", request.method(), request.path(), mark, failure);
      return message(
          session,
          500,
          "Something failed",
          "This should not happen. The log of the console has it under " + mark + ".",
          "");
    }
    if (known.exitCode() == ExitCode.UNAVAILABLE) {
      return unavailable(session, String.valueOf(known.getMessage()), known.remedy());
    }
    int status = known.exitCode() == ExitCode.USAGE ? 400 : changing ? 409 : 404;
    return message(
        session,
        status,
        status == 404
            ? "Not found"
            : status == 400 ? "That cannot be meant" : "Nothing was changed",
        capital(String.valueOf(known.getMessage())) + ".",
        known.remedy() + ".");
  }

  private Reply unavailable(@Nullable Session session, String message, String remedy) {
    return message(session, 503, "Not available", capital(message) + ".", remedy + ".");
  }

  @Override
  public Reply refused(Request request, int status) {
    String text =
        switch (status) {
          case 404 -> "There is no such page.";
          case 405 -> "This page does not take that.";
          case 413 -> "The form is too large.";
          default -> "The request was refused.";
        };
    return message(sessions.apply(request), status, "HTTP " + status, text, "");
  }

  static String capital(String text) {
    return text.isEmpty()
        ? text
        : text.substring(0, 1).toUpperCase(java.util.Locale.ROOT) + text.substring(1);
  }
}
