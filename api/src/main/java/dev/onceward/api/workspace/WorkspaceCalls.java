package dev.onceward.api.workspace;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.http.Route.Access;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.StrictJson;
import dev.onceward.db.Database;
import dev.onceward.db.workspace.AccessKeyStore;
import dev.onceward.db.workspace.AccessKeyToken;
import dev.onceward.db.workspace.Role;
import dev.onceward.db.workspace.UserStore;
import dev.onceward.db.workspace.Workspace;
import dev.onceward.db.workspace.WorkspaceStore;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** {@code /v1/workspace}, the caller's own, and {@code POST /v1/workspaces}. Thread-safe. */
public final class WorkspaceCalls {
  private static final String FIRST_KEY_NAME = "first key";
  private final Database database;

  /** The calls over this database. */
  public WorkspaceCalls(Database database) {
    this.database = database;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.get("/v1/workspace", this::get),
        Route.write("PATCH", "/v1/workspace", this::rename).only(Access.ADMINISTRATOR),
        Route.write("POST", "/v1/workspaces", this::create)
            .only(Access.INSTALLATION_ADMINISTRATOR));
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    Workspace workspace =
        database
            .inWorkspace(request.caller().workspaceId(), WorkspaceStore::find)
            .orElseThrow(() -> new IllegalStateException("a caller has a workspace"));
    return Answer.json(200, WorkspaceJson.of(workspace));
  }

  private Answer rename(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    Fields body = Fields.of(StrictJson.read(request.body()));
    String name = NameField.required(body, "name");
    body.refuseOthers();
    Workspace workspace =
        database
            .inWorkspace(
                request.caller().workspaceId(),
                connection -> WorkspaceStore.rename(connection, name))
            .orElseThrow(() -> new IllegalStateException("a caller has a workspace"));
    return Answer.json(200, WorkspaceJson.of(workspace));
  }

  /** A workspace, its first administrator and their key, in one transaction. */
  private Answer create(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    Fields body = Fields.of(StrictJson.read(request.body()));
    String name = NameField.required(body, "name");
    String administrator = NameField.required(body, "administrator_name");
    body.refuseOthers();
    ObjectNode json =
        database.inTransaction(
            connection -> {
              WorkspaceStore.create(connection, name);
              UUID userId = UserStore.create(connection, administrator, Role.ADMINISTRATOR);
              AccessKeyToken token = AccessKeyStore.create(connection, userId, FIRST_KEY_NAME);
              ObjectNode made = JsonNodeFactory.instance.objectNode();
              made.set(
                  "workspace",
                  WorkspaceJson.of(
                      WorkspaceStore.find(connection).orElseThrow(NotWrittenException::new)));
              made.set(
                  "user",
                  WorkspaceJson.of(
                      UserStore.find(connection, userId).orElseThrow(NotWrittenException::new)));
              made.set(
                  "key",
                  WorkspaceJson.of(
                      AccessKeyStore.details(connection, token.keyId())
                          .orElseThrow(NotWrittenException::new),
                      token));
              return made;
            });
    return Answer.json(201, json);
  }
}
