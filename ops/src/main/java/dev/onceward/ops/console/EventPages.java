package dev.onceward.ops.console;

import dev.onceward.ops.AggregateArgument;
import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.console.http.Route;
import dev.onceward.ops.console.session.Session;
import dev.onceward.ops.event.EventFilter;
import dev.onceward.ops.event.EventListStore;
import dev.onceward.ops.event.EventSearch;
import dev.onceward.ops.event.EventStatus;
import dev.onceward.ops.event.ListedEvent;
import dev.onceward.ops.event.Subject;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** The list of events, and the life of one. Thread-safe. */
final class EventPages {
  private static final int PAGE = 50;
  private static final int MAX_ID = 300;
  private static final List<String> FIELDS =
      List.of("status", "type", "aggregate", "workspace", "from", "to");

  private final Guard guard;
  private final Pages pages;
  private final EventSearch search;

  EventPages(Guard guard, Pages pages, EventSearch search) {
    this.guard = guard;
    this.pages = pages;
    this.search = search;
  }

  List<Route> routes() {
    return List.of(guard.get("/events", this::list), guard.get("/life", this::life));
  }

  private Reply list(Request request, Session session) throws SQLException {
    QueryText typed = QueryText.of(request, FIELDS);
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("typed", typed);
    values.put("statuses", Arrays.stream(EventStatus.values()).map(EventStatus::label).toList());
    values.put("paging", request.query("after") != null);
    try {
      EventFilter filter = filter(typed, request.query("after"));
      List<ListedEvent> found;
      try (Connection connection = session.connection()) {
        connection.setReadOnly(true);
        found = EventListStore.list(connection, filter);
      }
      boolean more = found.size() > PAGE;
      values.put("events", more ? found.subList(0, PAGE) : found);
      values.put("next", more ? typed.with("after", found.get(PAGE - 1).id().toString()) : null);
      return pages.page(200, session, "events", "events", "Events", values);
    } catch (BadInputException bad) {
      values.put("events", List.of());
      values.put("problem", bad.getMessage());
      return pages.page(400, session, "events", "events", "Events", values);
    }
  }

  private static EventFilter filter(QueryText typed, @Nullable String after) {
    Instant from = Typed.time("From", typed.get("from"));
    Instant to = Typed.time("Before", typed.get("to"));
    if (from != null && to != null && !from.isBefore(to)) {
      throw new BadInputException("From " + from + " is not before " + to + ": the range is empty");
    }
    AggregateArgument aggregate = Typed.aggregate(typed.get("aggregate"));
    return new EventFilter(
        from,
        to,
        Typed.uuid("Workspace", typed.get("workspace")),
        typed.get("type"),
        aggregate == null ? null : aggregate.type(),
        aggregate == null ? null : aggregate.id(),
        status(typed.get("status")),
        Typed.uuid("After", after),
        PAGE + 1);
  }

  private static @Nullable EventStatus status(@Nullable String label) {
    if (label == null) {
      return null;
    }
    return Arrays.stream(EventStatus.values())
        .filter(status -> status.label().equals(label))
        .findFirst()
        .orElseThrow(() -> new BadInputException("Status \"" + label + "\" is not known"));
  }

  private Reply life(Request request, Session session) throws SQLException {
    String id = request.query("id");
    if (id == null || id.length() > MAX_ID || id.indexOf('\0') >= 0) {
      throw new BadInputException(
          "The search takes one id: an event, an operation, an idempotency key or a request id");
    }
    UUID workspaceId = Typed.uuid("Workspace", request.query("workspace"));
    boolean withPayload = request.query("payload") != null;
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("id", id);
    try (Connection connection = session.connection()) {
      connection.setReadOnly(true);
      List<Subject> subjects = search.find(connection, id, workspaceId);
      if (subjects.size() != 1) {
        values.put("subjects", subjects);
        return pages.page(
            subjects.isEmpty() ? 404 : 200, session, "found", "events", "Search", values);
      }
      values.put("told", search.tell(connection, subjects.get(0), withPayload));
      values.put("withPayload", withPayload);
      values.put(
          "withPayloadLink",
          QueryText.of(request, List.of("id", "workspace")).with("payload", "1"));
      return pages.page(200, session, "life", "events", "Life of " + id, values);
    }
  }
}
