package dev.onceward.api.hook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.json.JsonValue.JsonNumber;
import dev.onceward.api.json.StrictJson;
import dev.onceward.api.problem.SecretRefusal;
import dev.onceward.db.Database;
import dev.onceward.db.flow.Flow;
import dev.onceward.db.hook.Hook;
import dev.onceward.db.hook.HookAction;
import dev.onceward.db.hook.HookStore;
import dev.onceward.db.hook.NewHook;
import dev.onceward.db.secret.SecretGuard;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The calls under {@code /v1/hooks}, for administrators. Thread-safe. */
public final class HookCalls {
  private static final int MAX_NAME_CHARACTERS = 200;
  private static final int MAX_WORD_CHARACTERS = 120;
  private static final Duration DEFAULT_OVERLAP = Duration.ofDays(1);
  private static final Duration MAX_OVERLAP = Duration.ofDays(7);

  private final Database database;
  private final HookStore hooks;

  /** Keeps hooks in a store. */
  public HookCalls(Database database, HookStore hooks) {
    this.database = database;
    this.hooks = hooks;
  }

  /** The calls. */
  public List<Route> routes() {
    return Stream.of(
            Route.write("POST", "/v1/hooks", this::create),
            Route.get("/v1/hooks", this::list),
            Route.get("/v1/hooks/{id}", this::get),
            Route.write("POST", "/v1/hooks/{id}/secret-rotation", this::rotate),
            Route.act("/v1/hooks/{id}/enable", request -> setEnabled(request, true)),
            Route.act("/v1/hooks/{id}/disable", request -> setEnabled(request, false)),
            Route.delete("/v1/hooks/{id}", this::delete))
        .map(route -> route.only(Route.Access.ADMINISTRATOR))
        .toList();
  }

  private Answer create(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    Fields body = Fields.of(StrictJson.read(request.body()));
    String name = body.text("name", MAX_NAME_CHARACTERS);
    if (SecretGuard.isSecretInText(name)) {
      throw SecretRefusal.problem().exception();
    }
    Fields actionFields = body.object("action");
    HookAction action =
        HookAction.ofLabel(actionFields.text("type", MAX_WORD_CHARACTERS))
            .orElseThrow(
                () -> actionFields.invalid("type", "must be one of start_run, resolve_todo"));
    String flow = action == HookAction.START_RUN ? flow(actionFields) : null;
    actionFields.refuseOthers();
    body.refuseOthers();
    NewHook made =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> hooks.create(connection, name, action, flow));
    return Answer.json(201, HookJson.withSecret(made))
        .withHeader("Location", "/v1/hooks/" + made.hook().id());
  }

  private static String flow(Fields fields) {
    return Flow.ofLabel(fields.text("flow", MAX_WORD_CHARACTERS))
        .orElseThrow(
            () -> fields.invalid("flow", "must be one of " + String.join(", ", Flow.labels())))
        .label();
  }

  private Answer rotate(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("hook");
    Fields body = Fields.of(StrictJson.read(request.body()));
    Duration overlap = overlap(body, body.optional("overlap_seconds"));
    body.refuseOthers();
    NewHook made =
        database
            .inWorkspace(
                request.caller().workspaceId(),
                connection -> hooks.rotateSecret(connection, id, overlap))
            .orElseThrow(() -> Request.notFound("hook").exception());
    return Answer.json(200, HookJson.withSecret(made));
  }

  private static Duration overlap(Fields body, @Nullable JsonValue value) {
    if (value == null) {
      return DEFAULT_OVERLAP;
    }
    if (value instanceof JsonNumber number && number.text().matches("[0-9]{1,6}")) {
      Duration overlap = Duration.ofSeconds(Long.parseLong(number.text()));
      if (overlap.compareTo(MAX_OVERLAP) <= 0) {
        return overlap;
      }
    }
    throw body.invalid(
        "overlap_seconds", "must be a whole number from 0 to " + MAX_OVERLAP.toSeconds());
  }

  private Answer setEnabled(Request request, boolean enabled) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("hook");
    Hook hook =
        database
            .inWorkspace(
                request.caller().workspaceId(),
                connection -> HookStore.setEnabled(connection, id, enabled))
            .orElseThrow(() -> Request.notFound("hook").exception());
    return Answer.json(200, HookJson.of(hook));
  }

  private Answer delete(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("hook");
    boolean deleted =
        database.inWorkspace(
            request.caller().workspaceId(), connection -> HookStore.delete(connection, id));
    if (!deleted) {
      throw Request.notFound("hook").exception();
    }
    return Answer.json(200, JsonNodeFactory.instance.objectNode().put("deleted", id.toString()));
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("hook");
    Hook hook =
        database
            .inWorkspace(
                request.caller().workspaceId(), connection -> HookStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("hook").exception());
    return Answer.json(200, HookJson.of(hook));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<Hook> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> HookStore.list(connection, after, limit + 1));
    return Page.answer(found, limit, Hook::id, HookJson::of);
  }
}
