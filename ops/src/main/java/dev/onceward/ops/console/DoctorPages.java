package dev.onceward.ops.console;

import dev.onceward.db.action.OpsAction;
import dev.onceward.db.action.OpsActionStore;
import dev.onceward.ops.console.http.Reply;
import dev.onceward.ops.console.http.Request;
import dev.onceward.ops.console.http.Route;
import dev.onceward.ops.console.session.Session;
import dev.onceward.ops.doctor.Examination;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The doctor's checks, and what operators have changed. Thread-safe. */
final class DoctorPages {
  private static final int LISTED = 50;

  private final Guard guard;
  private final Pages pages;
  private final Examination examination;

  DoctorPages(Guard guard, Pages pages, Examination examination) {
    this.guard = guard;
    this.pages = pages;
    this.examination = examination;
  }

  List<Route> routes() {
    return List.of(
        guard.get(
            "/doctor",
            (request, session) ->
                pages.page(
                    200,
                    session,
                    "doctor",
                    "doctor",
                    "Doctor",
                    Map.of("report", examination.make(session::connection)))),
        guard.get("/actions", this::actions));
  }

  private Reply actions(Request request, Session session) throws SQLException {
    Long before = Typed.count("Before", request.query("before"));
    List<OpsAction> found;
    try (Connection connection = session.connection()) {
      found = OpsActionStore.list(connection, before, LISTED + 1);
    }
    boolean more = found.size() > LISTED;
    Map<String, @Nullable Object> values = new HashMap<>();
    values.put("actions", more ? found.subList(0, LISTED) : found);
    values.put("next", more ? found.get(LISTED - 1).id() : null);
    values.put("paging", before != null);
    return pages.page(200, session, "actions", "actions", "Actions", values);
  }
}
