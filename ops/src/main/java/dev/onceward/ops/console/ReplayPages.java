package dev.onceward.ops.console;

import dev.onceward.db.action.NewAction;
import dev.onceward.ops.change.StartedAction;
import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.console.http.Route;
import dev.onceward.ops.console.session.Session;
import dev.onceward.ops.kafka.RelayRouting;
import dev.onceward.ops.replay.PlanReport;
import dev.onceward.ops.replay.ReplayDesk;
import dev.onceward.ops.replay.ReplayReport;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Replays: planned, started, watched, cancelled, resumed. Thread-safe. */
final class ReplayPages {
  /** From so many events on the number is typed before it starts. */
  static final long LARGE = 1000;

  private static final int LISTED = 50;
  private static final String PLACE = "replays";

  private final Guard guard;
  private final Pages pages;
  private final RelayRouting routing;
  private final BackgroundReplays running;
  private final Clock clock;

  ReplayPages(
      Guard guard, Pages pages, RelayRouting routing, BackgroundReplays running, Clock clock) {
    this.guard = guard;
    this.pages = pages;
    this.routing = routing;
    this.running = running;
    this.clock = clock;
  }

  List<Route> routes() {
    return List.of(
        guard.get("/replays", (request, session) -> form(200, session, Map.of(), null)),
        guard.get("/replays/{id}", this::show),
        guard.get("/replays/{id}/progress", this::progress),
        guard.postAsOperator("/replays/plan", "/replays", this::plan),
        guard.postAsOperator("/replays/start", "/replays", this::start),
        guard.postAsOperator("/replays/{id}/cancel", "/replays", this::cancel),
        guard.postAsOperator("/replays/{id}/resume", "/replays", this::resume));
  }

  private Reply form(
      int status, Session session, Map<String, String> typed, @Nullable String problem)
      throws SQLException {
    Map<String, @Nullable Object> values = new HashMap<>();
    try (Connection connection = session.connection()) {
      values.put("replays", ReplayDesk.newest(connection, LISTED));
    }
    values.put("typed", typed);
    values.put("problem", problem);
    return pages.page(status, session, "replays", PLACE, "Replays", values);
  }

  private Reply plan(Request request, Session session) throws SQLException {
    ReplayForm form;
    try {
      form = ReplayForm.of(request, now());
    } catch (BadInputException bad) {
      Map<String, String> typed = new LinkedHashMap<>();
      for (String field : ReplayForm.FIELDS) {
        String value = request.field(field);
        if (value != null) {
          typed.put(field, value);
        }
      }
      return form(400, session, typed, bad.getMessage());
    }
    try (ReplayDesk desk = ReplayDesk.open(routing, session.ownConnection())) {
      return planned(200, session, form, report(desk, form), null);
    }
  }

  private java.time.Instant now() {
    return clock.instant().truncatedTo(java.time.temporal.ChronoUnit.MILLIS);
  }

  private static PlanReport report(ReplayDesk desk, ReplayForm form) throws SQLException {
    return desk.plan(form.selection(), form.toTopic(), form.rate()).report();
  }

  private Reply planned(
      int status, Session session, ReplayForm typed, PlanReport report, @Nullable String problem) {
    ReplayForm form = typed.upTo(report.lastEventId());
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("plan", report);
    values.put("fields", form.fields());
    values.put("events", form.selection().text());
    values.put("toTopic", form.toTopic());
    values.put("large", report.chosenCount() > LARGE);
    values.put("problem", problem);
    return pages.page(status, session, "replayplan", PLACE, "Dry run", values);
  }

  private Reply start(Request request, Session session) throws SQLException, InterruptedException {
    ReplayForm form = ReplayForm.of(request, now());
    ReplayDesk desk = ReplayDesk.open(routing, session.ownConnection());
    boolean given = false;
    try {
      ReplayDesk.Planned planned = desk.plan(form.selection(), form.toTopic(), form.rate());
      PlanReport report = planned.report();
      if (!isShown(request, report)) {
        return planned(
            409,
            session,
            form,
            report,
            "These are not the events that you were shown, so nothing was started. This is what it"
                + " would be now.");
      }
      if (report.chosenCount() > LARGE
          && !Objects.equals(
              Typed.count("The number of events", digits(request.field("typedCount"))),
              report.chosenCount())) {
        return planned(
            422,
            session,
            form,
            report,
            "Nothing was started: type the number of events, " + report.chosenCount() + ".");
      }
      given = true;
      NewAction action = new NewAction(session.user(), "replay", form.options());
      UUID id =
          running.start(
              desk,
              (over, stop, watcher) ->
                  over.start(
                      on -> StartedAction.begin(on, action),
                      session.user(),
                      planned,
                      stop,
                      watcher));
      return Reply.redirect("/replays/" + id);
    } finally {
      if (!given) {
        desk.close();
      }
    }
  }

  private static @Nullable String digits(@Nullable String text) {
    return text == null ? null : text.replaceAll("[,. \\u00a0']", "");
  }

  /** Whether it is what the dry run showed. */
  private static boolean isShown(Request request, PlanReport report) {
    return Objects.equals(
            Typed.count("The number of events shown", request.field("shownCount")),
            report.chosenCount())
        && Objects.equals(request.field("shownFirst"), report.firstEventId().toString())
        && Objects.equals(request.field("shownLast"), report.lastEventId().toString());
  }

  private Reply show(Request request, Session session) throws SQLException {
    return pages.page(200, session, "replay", PLACE, "Replay", values(request, session));
  }

  private Reply progress(Request request, Session session) throws SQLException {
    return Reply.page(200, pages.part("replayprogress", values(request, session)));
  }

  private Map<String, @Nullable Object> values(Request request, Session session)
      throws SQLException {
    UUID id = id(request);
    boolean here = running.isRunning(id);
    ReplayReport report;
    try (Connection connection = session.connection()) {
      report = ReplayDesk.show(connection, id);
    }
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("replay", report);
    values.put("here", here);
    values.put("operator", session.isOperator());
    values.put("csrf", session.csrfToken());
    values.put("left", left(report));
    return values;
  }

  /** About how many seconds it goes on; null where nobody can tell. */
  private @Nullable Long left(ReplayReport report) {
    long done = report.sentCount() + report.refusedCount();
    if (!report.state().equals("running") || done == 0) {
      return null;
    }
    long millis = Duration.between(report.startedAt(), clock.instant()).toMillis();
    return report.runNumber() > 1
        ? report.remainingCount() / report.eventsPerSecond()
        : millis * report.remainingCount() / done / 1000;
  }

  private Reply cancel(Request request, Session session) throws SQLException {
    UUID id = id(request);
    if (running.cancel(id)) {
      return Reply.redirect("/replays/" + id);
    }
    ReplayReport report;
    try (Connection connection = session.connection()) {
      report = ReplayDesk.show(connection, id);
    }
    return pages.message(
        session,
        409,
        "Nothing to cancel here",
        report.state().equals("running")
            ? "This replay runs in another process, at the command line or in another console."
            : "This replay is " + report.state() + " by now.",
        report.state().equals("running") ? "Stop it where it runs." : "");
  }

  private Reply resume(Request request, Session session) throws SQLException, InterruptedException {
    UUID id = id(request);
    NewAction action = new NewAction(session.user(), "replay resume", id.toString());
    running.start(
        ReplayDesk.open(routing, session.ownConnection()),
        (over, stop, watcher) ->
            over.resume(on -> StartedAction.begin(on, action), id, null, stop, watcher));
    return Reply.redirect("/replays/" + id);
  }

  private static UUID id(Request request) {
    return Objects.requireNonNull(Typed.uuid("Replay", request.pathParameter("id")));
  }
}
