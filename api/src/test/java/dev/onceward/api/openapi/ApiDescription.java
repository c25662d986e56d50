package dev.onceward.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The file {@code openapi.yaml} as the service serves it. */
final class ApiDescription {
  private static final String LOCATION = "https://description.test/openapi";
  private static final List<String> METHODS = List.of("get", "put", "post", "patch", "delete");

  private final JsonNode root;
  private final JsonSchemaFactory schemas;
  private final SchemaValidatorsConfig config =
      SchemaValidatorsConfig.builder().formatAssertionsEnabled(true).build();

  private ApiDescription(JsonNode root) {
    this.root = root;
    schemas =
        JsonSchemaFactory.getInstance(
            VersionFlag.V202012,
            builder ->
                builder.schemaLoaders(
                    loaders -> loaders.schemas(Map.of(LOCATION, root.toString()))));
  }

  static ApiDescription parse(String yaml) {
    try {
      return new ApiDescription(new ObjectMapper(new YAMLFactory()).readTree(yaml));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  JsonNode root() {
    return root;
  }

  /** All operations by their ids. */
  Map<String, DescribedCall> calls() {
    Map<String, DescribedCall> calls = new LinkedHashMap<>();
    root.get("paths")
        .properties()
        .forEach(
            path -> {
              for (String method : METHODS) {
                JsonNode node = path.getValue().path(method);
                if (!node.isMissingNode()) {
                  String pointer = "/paths/" + escape(path.getKey()) + "/" + method;
                  String id = node.get("operationId").asText();
                  calls.put(
                      id,
                      new DescribedCall(
                          this,
                          id,
                          method.toUpperCase(java.util.Locale.ROOT),
                          path.getKey(),
                          pointer,
                          node));
                }
              }
            });
    return calls;
  }

  /** What a reference refers to; anything else is itself. */
  JsonNode resolve(JsonNode node) {
    return node.has("$ref") ? root.at(node.get("$ref").asText().substring(1)) : node;
  }

  /** The pointer to what a reference at a pointer refers to. */
  String resolvePointer(String pointer) {
    JsonNode node = root.at(pointer);
    return node.has("$ref") ? node.get("$ref").asText().substring(1) : pointer;
  }

  /** What is wrong with a value under the schema at a pointer; empty when nothing is. */
  List<String> problems(String schemaPointer, JsonNode value) {
    JsonSchema schema =
        schemas.getSchema(SchemaLocation.of(LOCATION + "#" + schemaPointer), config);
    return schema.validate(value).stream().map(Object::toString).collect(Collectors.toList());
  }

  static String escape(String step) {
    return step.replace("~", "~0").replace("/", "~1");
  }
}
