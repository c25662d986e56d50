package dev.onceward.event;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The file {@code asyncapi.yaml}, and the schemas that it refers to. */
final class EventsDescription {
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());
  private static final JsonSchemaFactory SCHEMAS =
      JsonSchemaFactory.getInstance(VersionFlag.V202012);
  private static final SchemaValidatorsConfig CONFIG =
      SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

  private final JsonNode root;

  EventsDescription() throws IOException {
    root = read("asyncapi.yaml");
  }

  JsonNode root() {
    return root;
  }

  /** A file beside the description; JSON is YAML too. */
  private static JsonNode read(String name) throws IOException {
    try (InputStream file = EventSchemas.class.getResourceAsStream(name)) {
      if (file == null) {
        throw new IOException("there is no " + name);
      }
      return YAML.readTree(file);
    }
  }

  /**
   * The messages about events by their names, each with its references replaced by what they name.
   */
  Map<String, JsonNode> events() throws IOException {
    Map<String, JsonNode> events = new TreeMap<>();
    for (Map.Entry<String, JsonNode> message : root.at("/components/messages").properties()) {
      if (!message.getKey().equals("dead_letter")) {
        events.put(message.getKey(), resolved(message.getValue()));
      }
    }
    return events;
  }

  /** The value with every reference replaced by what it names. */
  JsonNode resolved(JsonNode node) throws IOException {
    JsonNode reference = node.path("$ref");
    if (reference.isTextual()) {
      return resolved(target(reference.asText()));
    }
    if (node.isArray()) {
      List<JsonNode> items = new ArrayList<>();
      for (JsonNode item : node) {
        items.add(resolved(item));
      }
      return JsonNodeFactory.instance.arrayNode().addAll(items);
    }
    if (node.isObject()) {
      ObjectNode object = JsonNodeFactory.instance.objectNode();
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        object.set(member.getKey(), resolved(member.getValue()));
      }
      return object;
    }
    return node;
  }

  private JsonNode target(String reference) throws IOException {
    JsonNode target =
        reference.startsWith("#")
            ? root.at(reference.substring(1))
            : read(reference.replaceFirst("^\\./", ""));
    if (target.isMissingNode()) {
      throw new IOException("there is no " + reference);
    }
    return target;
  }

  /** What is wrong with a JSON text under a schema; empty when nothing is. */
  static List<String> problems(@Nullable JsonNode schema, String json) {
    return SCHEMAS.getSchema(schema, CONFIG).validate(json, InputFormat.JSON).stream()
        .map(Object::toString)
        .toList();
  }
}
