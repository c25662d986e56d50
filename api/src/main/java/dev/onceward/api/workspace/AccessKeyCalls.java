package dev.onceward.api.workspace;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Caller;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.StrictJson;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.Database;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.AccessKeyToken;
import dev.onceward.db.workspace.KeyDetails;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.User;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.db.workspace.WorkspaceStore;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/access-keys}: members look after their own, administrators after everybody's.
 * Thread-safe.
 */
public final class AccessKeyCalls {
  private static final Pattern KEY_ID = Pattern.compile("[0-9a-z]{8,40}");
  private final Database database;
  private final Duration overlap;

  /**
   * The calls over this database.
   *
   * @param overlap how long a rotated key goes on working, unless the call says
   */
  public AccessKeyCalls(Database database, Duration overlap) {
    this.database = database;
    this.overlap = overlap;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/access-keys", this::list),
        Route.get("/v1/access-keys/{keyId}", this::get),
        Route.write("POST", "/v1/access-keys", this::create),
        Route.write("POST", "/v1/access-keys/{keyId}/rotation", this::rotate),
        Route.delete("/v1/access-keys/{keyId}", this::revoke));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    UUID wanted = parameters.optionalId("user_id");
    String after = parameters.optional("after");
    if (after != null && !KEY_ID.matcher(after).matches()) {
      throw QueryParameters.invalid("after", "It must be an id as an earlier answer gave it.");
    }
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    Caller caller = request.caller();
    UUID userId = administers(caller) ? wanted : caller.userId();
    if (wanted != null && !wanted.equals(userId)) {
      throw ownKeysOnly();
    }
    List<KeyDetails> found =
        database.inWorkspace(
            caller.workspaceId(),
            connection -> AccessKeyStore.list(connection, userId, after, limit + 1));
    return Page.answer(found, limit, KeyDetails::keyId, WorkspaceJson::of);
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    KeyDetails key =
        database.inWorkspace(
            request.caller().workspaceId(), connection -> existing(connection, request));
    return Answer.json(200, WorkspaceJson.of(key));
  }

  private Answer create(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    Caller caller = request.caller();
    Fields body = Fields.of(StrictJson.read(request.body()));
    String name = NameField.required(body, "name");
    UUID wanted = KeyFields.userId(body);
    body.refuseOthers();
    UUID userId = wanted == null ? caller.userId() : wanted;
    if (!userId.equals(caller.userId()) && !administers(caller)) {
      throw ownKeysOnly();
    }
    ObjectNode json =
        database.inWorkspace(
            caller.workspaceId(),
            connection -> {
              User owner =
                  UserStore.find(connection, userId)
                      .orElseThrow(
                          () -> body.invalid("user_id", "must be the id of one of your users"));
              requireMayHold(owner, caller);
              return made(connection, AccessKeyStore.create(connection, userId, name));
            });
    return created(json);
  }

  /** A new key for the same user; the old one ends after the overlap. */
  private Answer rotate(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    Fields body = Fields.of(StrictJson.read(request.body()));
    Duration wanted = KeyFields.overlap(body);
    body.refuseOthers();
    ObjectNode json =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> {
              KeyDetails old = existing(connection, request);
              requireMayHold(owner(connection, old), request.caller());
              AccessKeyToken token = AccessKeyStore.create(connection, old.userId(), old.name());
              if (!AccessKeyStore.replace(
                  connection, old.keyId(), token.keyId(), wanted == null ? overlap : wanted)) {
                throw Problem.of(
                        ProblemCode.ACCESS_KEY_NOT_ACTIVE,
                        "This key was revoked or replaced before.")
                    .exception();
              }
              ObjectNode made = made(connection, token);
              made.set("replaced", WorkspaceJson.of(details(connection, old.keyId())));
              return made;
            });
    return created(json);
  }

  /** Ends a key at once; done again, the answer is the same. */
  private Answer revoke(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    KeyDetails key =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> {
              WorkspaceStore.lock(connection);
              KeyDetails old = existing(connection, request);
              User owner = owner(connection, old);
              requireTouchable(owner, request.caller());
              if (AccessKeyStore.revoke(connection, old.keyId())
                  && owner.role().includes(Role.ADMINISTRATOR)
                  && !UserStore.hasAdministrator(connection)) {
                throw UserCalls.lastAdministrator();
              }
              return details(connection, old.keyId());
            });
    return Answer.json(200, WorkspaceJson.of(key));
  }

  private static Answer created(ObjectNode json) {
    return Answer.json(201, json)
        .withHeader("Location", "/v1/access-keys/" + json.get("key_id").asText());
  }

  private static ObjectNode made(Connection connection, AccessKeyToken token) throws SQLException {
    return WorkspaceJson.of(details(connection, token.keyId()), token);
  }

  private static KeyDetails details(Connection connection, String keyId) throws SQLException {
    return AccessKeyStore.details(connection, keyId).orElseThrow(NotWrittenException::new);
  }

  private static User owner(Connection connection, KeyDetails key) throws SQLException {
    return UserStore.find(connection, key.userId()).orElseThrow(NotWrittenException::new);
  }

  /** The key in the path. To a member a colleague's key is an unknown one. */
  private static KeyDetails existing(Connection connection, Request request) throws SQLException {
    String keyId = request.pathParameter("keyId");
    @Nullable KeyDetails key =
        KEY_ID.matcher(keyId).matches()
            ? AccessKeyStore.details(connection, keyId).orElse(null)
            : null;
    Caller caller = request.caller();
    if (key == null || !(administers(caller) || key.userId().equals(caller.userId()))) {
      throw Request.notFound("access key").exception();
    }
    return key;
  }

  private static void requireMayHold(User owner, Caller caller) {
    requireTouchable(owner, caller);
    if (owner.disabledAt() != null) {
      throw Problem.of(ProblemCode.USER_DISABLED, "A disabled user gets no access key.")
          .exception();
    }
  }

  private static void requireTouchable(User owner, Caller caller) {
    if (owner.role() == Role.INSTALLATION_ADMINISTRATOR && !owner.id().equals(caller.userId())) {
      throw UserCalls.isProtected();
    }
  }

  private static boolean administers(Caller caller) {
    return caller.role().includes(Role.ADMINISTRATOR);
  }

  private static RuntimeException ownKeysOnly() {
    return Problem.of(
            ProblemCode.ROLE_REQUIRED,
            "Other users' keys are for users with the role administrator.")
        .exception();
  }
}
