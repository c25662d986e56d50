package dev.onceward.worker.platform;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.onceward.db.ai.AiTask;
import dev.onceward.db.ai.AiTaskStore;
import dev.onceward.db.secret.SecretGuard;
import dev.onceward.worker.handle.EventHandler;
import dev.onceward.worker.handle.HandledType;
import dev.onceward.worker.handle.HandlerResult;
import dev.onceward.worker.handle.PermanentTaskException;
import dev.onceward.worker.handle.TaskAttempt;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.UUID;

/**
 * Has a model do what a task asks for. Its output is written together with the end of the
 * operation, so a task that has an output is never run again; attempts before that carry one key,
 * by which the platform runs, and bills, the task once.
 */
final class RunAiTask implements EventHandler {

  // What surrounds the output may be as large again.
  private static final int MAX_ANSWER_BYTES = 2 * AiTaskStore.MAX_OUTPUT_BYTES;

  private final PlatformClient platform;

  RunAiTask(PlatformClient platform) {
    this.platform = platform;
  }

  @Override
  public Collection<HandledType> handledTypes() {
    return List.of(new HandledType("ai.task_requested", 1, "ai_task", AiTaskStore.OPERATION_KIND));
  }

  @Override
  public HandlerResult handle(TaskAttempt attempt) throws Exception {
    UUID taskId = EventPayload.id(attempt, "ai_task_id");
    AiTask task =
        attempt
            .inWorkspace(connection -> AiTaskStore.find(connection, taskId))
            .orElseThrow(
                () ->
                    new PermanentTaskException(
                        "AI_TASK_NOT_FOUND", "The AI task does not exist any more."));
    String body =
        PlatformBody.of(
            json -> {
              json.writeStringField("kind", task.kind());
              json.writeFieldName("input");
              json.writeRawValue(task.input());
            });
    JsonNode answer =
        platform.post(
            PlatformRequest.of(attempt, "v1/ai-tasks", body).withAnswerUpTo(MAX_ANSWER_BYTES));
    String output = output(answer);
    String result =
        JsonNodeFactory.instance.objectNode().put("ai_task_id", taskId.toString()).toString();
    return connection -> {
      if (!AiTaskStore.recordOutput(connection, taskId, output)) {
        throw new IllegalStateException("AI task " + taskId + " is gone");
      }
      return result;
    };
  }

  /** What cannot be kept fails the task at once: asking again would only be billed again. */
  private static String output(JsonNode answer) throws Exception {
    JsonNode output = answer.path("output");
    if (!output.isObject()) {
      throw PlatformClient.unreadable(null);
    }
    String text = output.toString();
    if (text.getBytes(StandardCharsets.UTF_8).length > AiTaskStore.MAX_OUTPUT_BYTES) {
      throw new PermanentTaskException(
          "PLATFORM_ANSWER_REFUSED",
          "The output has more than " + AiTaskStore.MAX_OUTPUT_BYTES + " bytes.");
    }
    if (SecretGuard.isSecretInJson(text)) {
      throw new PermanentTaskException(
          "PLATFORM_ANSWER_REFUSED",
          "The output holds what looks like a secret or a signed URL, which is not kept.");
    }
    return text;
  }
}
