package dev.onceward.api.ai;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.onceward.db.ai.AiTask;

/** The JSON of an AI task; absent members have no value yet. */
final class AiTaskJson {
  private AiTaskJson() {}

  static ObjectNode of(AiTask task) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", task.id().toString());
    json.put("kind", task.kind());
    json.put("operation_id", task.operationId().toString());
    json.put("state", task.state().label());
    json.putRawValue("input", new RawValue(task.input()));
    if (task.output() != null) {
      json.putRawValue("output", new RawValue(task.output()));
    }
    if (task.completedAt() != null) {
      json.put("completed_at", task.completedAt().toString());
    }
    json.put("created_at", task.createdAt().toString());
    return json;
  }
}
