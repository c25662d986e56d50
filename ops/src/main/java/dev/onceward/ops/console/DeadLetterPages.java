package dev.onceward.ops.console;

import dev.onceward.db.action.NewAction;
import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.console.http.Route;
import dev.onceward.ops.console.session.Session;
import dev.onceward.ops.deadletter.DeadLetterDesk;
import dev.onceward.ops.deadletter.DeadLetterDesk.Act;
import dev.onceward.ops.deadletter.DeadLetterFilter;
import dev.onceward.process.ExitCode;
import dev.onceward.process.StartupException;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What nobody tries again by itself: looked at, redriven, discarded. Thread-safe. */
final class DeadLetterPages {
  private static final int LISTED = 100;
  private static final int MOST_IDS = 1000;
  private static final String PLACE = "dead-letters";
  private static final List<String> FIELDS =
      List.of("kind", "type", "code", "workspace", "from", "to", "group");

  private final Guard guard;
  private final Pages pages;
  private final DeadLetterDesk desk;

  DeadLetterPages(Guard guard, Pages pages, DeadLetterDesk desk) {
    this.guard = guard;
    this.pages = pages;
    this.desk = desk;
  }

  List<Route> routes() {
    return List.of(
        guard.get("/dead-letters", this::groups),
        guard.get("/dead-letters/list", this::list),
        guard.get("/dead-letters/show", this::show),
        guard.postAsOperator("/dead-letters/plan", "/dead-letters", this::plan),
        guard.postAsOperator("/dead-letters/change", "/dead-letters", this::change));
  }

  private Reply groups(Request request, Session session) throws SQLException {
    QueryText typed = QueryText.of(request, FIELDS);
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("typed", typed);
    try {
      DeadLetterFilter filter = filter(typed);
      try (Connection connection = session.connection()) {
        DeadLetterDesk.Groups found = desk.groups(connection, filter);
        values.put("groups", found.groups());
        values.put("note", found.note());
      }
      return pages.page(200, session, "letters", PLACE, "Dead letters", values);
    } catch (BadInputException bad) {
      values.put("groups", List.of());
      values.put("problem", bad.getMessage());
      return pages.page(400, session, "letters", PLACE, "Dead letters", values);
    }
  }

  private Reply list(Request request, Session session) throws SQLException {
    QueryText typed = QueryText.of(request, FIELDS);
    boolean discarded = request.query("discarded") != null;
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("typed", typed);
    values.put("discarded", discarded);
    try (Connection connection = session.connection()) {
      values.put("found", desk.list(connection, filter(typed), discarded, LISTED));
    }
    return pages.page(200, session, "letterlist", PLACE, "Dead letters", values);
  }

  private Reply show(Request request, Session session) throws SQLException {
    String id = required("id", request.query("id"));
    boolean withPayload = request.query("payload") != null;
    QueryText asked = QueryText.of(request, List.of("id", "kind"));
    Map<String, @Nullable Object> values = new HashMap<>();
    try (Connection connection = session.connection()) {
      values.put("shown", desk.show(connection, id, ofKind(request.query("kind")), withPayload));
    }
    values.put("withPayload", withPayload);
    values.put("withPayloadLink", asked.with("payload", "1"));
    return pages.page(200, session, "letter", PLACE, "Dead letter", values);
  }

  /** What a form means: ids, or a group. */
  private record Wanted(
      Act act,
      List<String> ids,
      @Nullable String group,
      @Nullable String kind,
      @Nullable String reason) {

    DeadLetterFilter filter() {
      return group == null
          ? ofKind(kind)
          : made(() -> DeadLetterFilter.of(kind, null, null, null, null, null, group));
    }

    NewAction action(Session session) {
      List<String> arguments = new ArrayList<>(ids);
      if (group != null) {
        arguments.add("--group=" + group);
      }
      if (kind != null) {
        arguments.add("--kind=" + kind);
      }
      if (reason != null) {
        arguments.add("--reason=" + reason);
      }
      return new NewAction(
          session.user(),
          "dead-letters " + act.name().toLowerCase(Locale.ROOT),
          String.join(" ", arguments));
    }
  }

  private static Wanted wanted(Request request) {
    Act act =
        "discard".equals(request.field("act"))
            ? Act.DISCARD
            : "redrive".equals(request.field("act")) ? Act.REDRIVE : null;
    List<String> ids = request.fields("id").stream().filter(id -> !id.isBlank()).toList();
    String group = request.field("group");
    if (act == null) {
      throw new BadInputException("The form does not say whether to redrive or to discard");
    }
    if (ids.isEmpty() == (group == null) || ids.size() > MOST_IDS) {
      throw new BadInputException("Choose a group, or 1 to " + MOST_IDS + " dead letters");
    }
    return new Wanted(
        act,
        ids,
        group,
        request.field("kind"),
        act == Act.DISCARD ? request.field("reason") : null);
  }

  private Reply plan(Request request, Session session) throws SQLException {
    return planned(200, session, wanted(request), null);
  }

  private Reply planned(int status, Session session, Wanted wanted, @Nullable String problem)
      throws SQLException {
    Map<String, @Nullable Object> values = new HashMap<>();
    try (Connection connection = session.connection()) {
      values.put("plan", desk.plan(connection, wanted.ids, wanted.filter()));
    }
    values.put("act", wanted.act.name().toLowerCase(Locale.ROOT));
    values.put("ids", wanted.ids);
    values.put("group", wanted.group);
    values.put("kind", wanted.kind);
    values.put("reason", wanted.reason);
    values.put("problem", problem);
    return pages.page(status, session, "letterplan", PLACE, "Dry run", values);
  }

  private Reply change(Request request, Session session) throws SQLException {
    Wanted wanted = wanted(request);
    String fingerprint = required("fingerprint", request.field("fingerprint"));
    if (wanted.act == Act.DISCARD) {
      String wrong = DeadLetterDesk.wrongWith(Objects.requireNonNullElse(wanted.reason, ""));
      if (wrong != null) {
        return planned(422, session, wanted, "Nothing was changed: " + wrong + ".");
      }
    }
    DeadLetterDesk.Done done;
    try (Connection connection = session.ownConnection()) {
      done =
          desk.change(
              connection,
              wanted.action(session),
              wanted.act,
              wanted.reason,
              wanted.ids,
              wanted.filter(),
              fingerprint);
    } catch (StartupException refused) {
      if (refused.exitCode() != ExitCode.FAILURE) {
        throw refused;
      }
      // Shows what there is by now; where that is nothing, the refusal says it.
      return planned(
          409,
          session,
          wanted,
          Pages.capital(String.valueOf(refused.getMessage())) + ". " + refused.remedy() + ".");
    }
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("done", done);
    values.put("act", wanted.act == Act.REDRIVE ? "redriven" : "discarded");
    return pages.page(200, session, "letterdone", PLACE, "Done", values);
  }

  private static DeadLetterFilter filter(QueryText typed) {
    return made(
        () ->
            DeadLetterFilter.of(
                typed.get("kind"),
                typed.get("type"),
                typed.get("code"),
                Typed.uuid("Workspace", typed.get("workspace")),
                Typed.time("From", typed.get("from")),
                Typed.time("Before", typed.get("to")),
                typed.get("group")));
  }

  private static DeadLetterFilter ofKind(@Nullable String kind) {
    return made(() -> DeadLetterFilter.of(kind, null, null, null, null, null, null));
  }

  private static DeadLetterFilter made(java.util.function.Supplier<DeadLetterFilter> make) {
    try {
      return make.get();
    } catch (IllegalArgumentException e) {
      throw new BadInputException(Pages.capital(String.valueOf(e.getMessage())));
    }
  }

  private static String required(String field, @Nullable String value) {
    if (value == null) {
      throw new BadInputException("The field " + field + " is missing");
    }
    return value;
  }
}
