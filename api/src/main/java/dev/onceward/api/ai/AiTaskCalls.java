package dev.onceward.api.ai;

import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Page;
import dev.onceward.api.http.QueryParameters;
import dev.onceward.api.http.Request;
import dev.onceward.api.http.Route;
import dev.onceward.api.idempotent.IdempotentWrites;
import dev.onceward.db.Database;
import dev.onceward.db.ai.AiTask;
import dev.onceward.db.ai.AiTaskStore;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/** All calls under {@code /v1/ai-tasks}. Thread-safe. */
public final class AiTaskCalls {
  private final Database database;
  private final IdempotentWrites writes;

  /** The calls over this database. */
  public AiTaskCalls(Database database, IdempotentWrites writes) {
    this.database = database;
    this.writes = writes;
  }

  /** The calls. */
  public List<Route> routes() {
    return List.of(
        Route.write("POST", "/v1/ai-tasks", writes.handler(new RequestAiTask())),
        Route.get("/v1/ai-tasks", this::list),
        Route.get("/v1/ai-tasks/{id}", this::get));
  }

  private Answer get(Request request) throws SQLException {
    request.queryParameters().refuseOthers();
    UUID id = request.id("AI task");
    AiTask task =
        database
            .inWorkspace(
                request.caller().workspaceId(), connection -> AiTaskStore.find(connection, id))
            .orElseThrow(() -> Request.notFound("AI task").exception());
    return Answer.json(200, AiTaskJson.of(task));
  }

  private Answer list(Request request) throws SQLException {
    QueryParameters parameters = request.queryParameters();
    String kind = parameters.optional("kind");
    if (kind != null && !AiTaskStore.KINDS.contains(kind)) {
      throw QueryParameters.invalid("kind", "It must be text, category or image.");
    }
    UUID after = parameters.optionalId("after");
    int limit = Page.limit(parameters);
    parameters.refuseOthers();
    List<AiTask> found =
        database.inWorkspace(
            request.caller().workspaceId(),
            connection -> AiTaskStore.list(connection, kind, after, limit + 1));
    return Page.answer(found, limit, AiTask::id, AiTaskJson::of);
  }
}
