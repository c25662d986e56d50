package dev.onceward.api.operation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import dev.onceward.api.http.Answer;
import dev.onceward.db.operation.Operation;

/** The JSON of an operation. */
public final class OperationJson {
  private OperationJson() {}

  /** The operation as clients see it; absent members have no value yet. */
  public static ObjectNode of(Operation operation) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("id", operation.id().toString());
    json.put("kind", operation.kind());
    json.put("state", operation.state().label());
    json.put("subject_type", operation.subjectType());
    json.put("subject_id", operation.subjectId());
    json.put("event_id", operation.eventId().toString());
    json.put("attempt", operation.attempt());
    json.put("max_attempts", operation.maxAttempts());
    if (operation.nextAttemptAt() != null) {
      json.put("next_attempt_at", operation.nextAttemptAt().toString());
    }
    if (operation.lastErrorCode() != null) {
      ObjectNode error = json.putObject("last_error");
      error.put("code", operation.lastErrorCode());
      if (operation.lastErrorSummary() != null) {
        error.put("summary", operation.lastErrorSummary());
      }
    }
    if (operation.result() != null) {
      json.putRawValue("result", new RawValue(operation.result()));
    }
    json.put("created_at", operation.createdAt().toString());
    json.put("updated_at", operation.updatedAt().toString());
    if (operation.finishedAt() != null) {
      json.put("finished_at", operation.finishedAt().toString());
    }
    return json;
  }

  /**
   * The answer of every write that starts a task: 202, where to follow it, the operation and the
   * resource it is about.
   *
   * @param name of the resource's member, such as {@code store}
   */
  public static Answer accepted(Operation operation, String name, ObjectNode resource) {
    ObjectNode body = JsonNodeFactory.instance.objectNode();
    body.set("operation", of(operation));
    body.set(name, resource);
    return Answer.json(202, body).withHeader("Location", "/v1/operations/" + operation.id());
  }
}
