package dev.onceward.api.ai;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.api.http.Answer;
import dev.onceward.api.http.Request;
import dev.onceward.api.idempotent.Scenario;
import dev.onceward.api.json.CanonicalJson;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.json.JsonValue.JsonObject;
import dev.onceward.api.operation.OperationJson;
import dev.onceward.api.operation.TaskStart;
import dev.onceward.db.UuidV7;
import dev.onceward.db.ai.AiTaskStore;
import dev.onceward.db.operation.Operation;
import dev.onceward.db.outbox.NewEvent;
import dev.onceward.db.secret.SecretGuard;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;

/** {@code POST /v1/ai-tasks}. */
record RequestAiTask() implements Scenario {
  private static final String EVENT_TYPE = "ai.task_requested";
  private static final String AGGREGATE_TYPE = "ai_task";
  private static final int MAX_KIND_CHARACTERS = 20;

  @Override
  public Answer execute(Connection connection, Request request, Fields body) throws SQLException {
    String kind = body.text("kind", MAX_KIND_CHARACTERS);
    if (!AiTaskStore.KINDS.contains(kind)) {
      throw body.invalid("kind", "must be text, category or image");
    }
    String input = input(body);
    UUID taskId = UuidV7.next();
    String payload =
        JsonNodeFactory.instance.objectNode().put("ai_task_id", taskId.toString()).toString();
    Operation operation =
        TaskStart.write(
            connection,
            request,
            AiTaskStore.OPERATION_KIND,
            NewEvent.of(EVENT_TYPE, AGGREGATE_TYPE, taskId.toString(), payload));
    AiTaskStore.insert(connection, taskId, operation.id(), kind, input);
    return OperationJson.accepted(
        operation,
        "ai_task",
        AiTaskJson.of(
            AiTaskStore.find(connection, taskId)
                .orElseThrow(() -> new IllegalStateException("it was just written"))));
  }

  private static String input(Fields body) {
    Fields members = body.object("input");
    if (members.names().isEmpty()) {
      throw body.invalid("input", "must have a member");
    }
    JsonValue value = body.optional("input");
    if (!(value instanceof JsonObject input)) {
      throw new IllegalStateException("it was just read as an object");
    }
    String text = CanonicalJson.write(input);
    if (text.getBytes(StandardCharsets.UTF_8).length > AiTaskStore.MAX_INPUT_BYTES) {
      throw body.invalid("input", "must have " + AiTaskStore.MAX_INPUT_BYTES + " bytes at most");
    }
    SecretGuard.requireNoneInJson("the input of an AI task", text);
    return text;
  }
}
