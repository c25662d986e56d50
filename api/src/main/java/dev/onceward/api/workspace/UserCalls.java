package dev.onceward.api.workspace;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.http.Route.Access;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.json.JsonValue.JsonBoolean;
import dev.onceward.api.json.StrictJson;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.Database;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.User;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.db.workspace.WorkspaceStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** {@code /v1/users}: everybody may read, administrators may change. Thread-safe. */
public final class UserCalls {
  private static final int MAX_ROLE_CHARACTERS = 40;
  private final Database database;

  /** The calls over this database. */
  public UserCalls(Database database) {
    this.database = database;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/users", this::list),
        Route.get("/v1/users/{id}", this::get),
        Route.write("POST", "/v1/users", this::create).only(Access.ADMINISTRATOR),
        Route.write("PATCH", "/v1/users/{id}", this::change).only(Access.ADMINISTRATOR));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<User> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> UserStore.list(connection, after, limit + 1));
    return Page.answer(found, limit, User::id, WorkspaceJson::of);
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("user");
    User user =
        database.inWorkspace(
            request.caller().workspaceId(), connection -> existing(connection, id));
    return Answer.json(200, WorkspaceJson.of(user));
  }

  private Answer create(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    Fields body = Fields.of(StrictJson.read(request.body()));
    String name = NameField.required(body, "name");
    Role role = body.optional("role") == null ? Role.MEMBER : role(body);
    body.refuseOthers();
    User user =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection ->
                UserStore.find(connection, UserStore.create(connection, name, role))
                    .orElseThrow(NotWrittenException::new));
    return Answer.json(201, WorkspaceJson.of(user))
        .withHeader("Location", "/v1/users/" + user.id());
  }

  private Answer change(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("user");
    Fields body = Fields.of(StrictJson.read(request.body()));
    String name = NameField.optional(body, "name");
    Role role = body.optional("role") == null ? null : role(body);
    Boolean disabled = disabled(body);
    body.refuseOthers();
    User user =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> change(connection, id, name, role, disabled));
    return Answer.json(200, WorkspaceJson.of(user));
  }

  private static User change(
      Connection connection,
      UUID id,
      @Nullable String name,
      @Nullable Role role,
      @Nullable Boolean disabled)
      throws SQLException {
    WorkspaceStore.lock(connection);
    User before = existing(connection, id);
    if (before.role() == Role.INSTALLATION_ADMINISTRATOR) {
      throw isProtected();
    }
    User after =
        UserStore.update(
                connection,
                id,
                name == null ? before.name() : name,
                role == null ? before.role() : role,
                disabled == null ? before.disabledAt() != null : disabled)
            .orElseThrow(NotWrittenException::new);
    if (administers(before) && !administers(after) && !UserStore.hasAdministrator(connection)) {
      throw lastAdministrator();
    }
    return after;
  }

  private static boolean administers(User user) {
    return user.role().includes(Role.ADMINISTRATOR) && user.disabledAt() == null;
  }

  private static User existing(Connection connection, UUID id) throws SQLException {
    return UserStore.find(connection, id).orElseThrow(() -> Request.notFound("user").exception());
  }

  private static Role role(Fields body) {
    return Role.ofLabel(body.text("role", MAX_ROLE_CHARACTERS))
        .filter(role -> role != Role.INSTALLATION_ADMINISTRATOR)
        .orElseThrow(() -> body.invalid("role", "must be member or administrator"));
  }

  private static @Nullable Boolean disabled(Fields body) {
    JsonValue value = body.optional("disabled");
    if (value == null) {
      return null;
    }
    if (value instanceof JsonBoolean disabled) {
      return disabled.value();
    }
    throw body.invalid("disabled", "must be true or false, not " + value.typeName());
  }

  static RuntimeException isProtected() {
    return Problem.of(
            ProblemCode.USER_PROTECTED,
            "This user is an installation administrator; only the command line changes them.")
        .exception();
  }

  static RuntimeException lastAdministrator() {
    return Problem.of(
            ProblemCode.LAST_ADMINISTRATOR,
            "Nobody with an access key could administer the workspace any more. Make another"
                + " administrator with a key first.")
        .exception();
  }
}
