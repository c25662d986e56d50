package dev.onceward.api.flow;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.onceward.db.flow.Flow;
import dev.onceward.db.flow.Run;
import dev.onceward.db.flow.Todo;

/** The JSON of runs and to-dos; absent members have no value yet. */
final class FlowJson {
  private FlowJson() {}

  static ObjectNode of(Run run) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", run.id().toString());
    json.put("flow", run.flow());
    json.put("state", run.state().label());
    if (run.outcome() != null) {
      json.put("outcome", run.outcome());
    }
    json.putRawValue("input", new RawValue(run.input()));
    json.put("operation_id", run.operationId().toString());
    json.put("created_at", run.createdAt().toString());
    json.put("updated_at", run.updatedAt().toString());
    if (run.endedAt() != null) {
      json.put("ended_at", run.endedAt().toString());
    }
    return json;
  }

  static ObjectNode of(Todo todo) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", todo.id().toString());
    json.put("run_id", todo.runId().toString());
    json.put("flow", todo.flow());
    json.put("name", todo.name());
    json.put("state", todo.resolved() ? "resolved" : "waiting");
    var decisions = json.putArray("decisions");
    Flow.ofLabel(todo.flow()).ifPresent(flow -> flow.decisions().forEach(decisions::add));
    if (todo.decision() != null) {
      json.put("decision", todo.decision());
    }
    if (todo.comment() != null) {
      json.put("comment", todo.comment());
    }
    if (todo.operationId() != null) {
      json.put("operation_id", todo.operationId().toString());
    }
    json.put("created_at", todo.createdAt().toString());
    if (todo.resolvedAt() != null) {
      json.put("resolved_at", todo.resolvedAt().toString());
    }
    return json;
  }
}
