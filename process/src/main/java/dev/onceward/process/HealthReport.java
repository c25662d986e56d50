package dev.onceward.process;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import dev.onceward.process.Health.Status;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The state of the process. Immutable.
 *
 * @param checks by name
 */
public record HealthReport(Map<String, Health> checks) {
  private static final JsonFactory JSON = new JsonFactory();

  public HealthReport {
    checks = Map.copyOf(checks);
  }

  /** The worst of all checks; UP when there is none. */
  public Status status() {
    return checks.values().stream().map(Health::status).max(Status::compareTo).orElse(Status.UP);
  }

  /** Each reason with the name of its check in front, ordered by name. */
  public List<String> reasons() {
    return new TreeMap<>(checks)
        .entrySet().stream()
            .flatMap(
                check -> check.getValue().reasons().stream().map(r -> check.getKey() + ": " + r))
            .toList();
  }

  /** 200 when up or paused, 503 when down. */
  public int httpStatus() {
    return status() == Status.DOWN ? 503 : 200;
  }

  /** {@code {"status":"UP|DOWN|PAUSED","reasons":[…],"checks":{name:{"status":…,…details}}}}. */
  public String json() {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = JSON.createGenerator(text)) {
      json.writeStartObject();
      json.writeStringField("status", status().name());
      json.writeArrayFieldStart("reasons");
      for (String reason : reasons()) {
        json.writeString(reason);
      }
      json.writeEndArray();
      json.writeObjectFieldStart("checks");
      for (Map.Entry<String, Health> check : new TreeMap<>(checks).entrySet()) {
        json.writeObjectFieldStart(check.getKey());
        json.writeStringField("status", check.getValue().status().name());
        for (Map.Entry<String, Object> detail :
            new TreeMap<>(check.getValue().details()).entrySet()) {
          json.writeFieldName(detail.getKey());
          writeDetail(json, detail.getValue());
        }
        json.writeEndObject();
      }
      json.writeEndObject();
      json.writeEndObject();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return text.toString();
  }

  private static void writeDetail(JsonGenerator json, Object value) throws IOException {
    if (value instanceof Integer || value instanceof Long) {
      json.writeNumber(((Number) value).longValue());
    } else if (value instanceof Number number) {
      json.writeNumber(number.doubleValue());
    } else if (value instanceof Boolean flag) {
      json.writeBoolean(flag);
    } else {
      json.writeString(value.toString());
    }
  }
}
