package dev.onceward.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * One operation of the description.
 *
 * @param pointer where it stands in the file
 */
record DescribedCall(
    ApiDescription file, String id, String method, String path, String pointer, JsonNode node) {

  /** Whether it is called with an access key. */
  boolean needsAccessKey() {
    return !node.has("security") || !node.get("security").isEmpty();
  }

  /** Names of its parameters of one kind: {@code query}, {@code header} or {@code path}. */
  Set<String> parameters(String in) {
    Set<String> names = new TreeSet<>();
    for (JsonNode parameter : parameters()) {
      if (parameter.get("in").asText().equals(in)) {
        names.add(parameter.get("name").asText());
      }
    }
    return names;
  }

  /** Its parameters and those of its path. */
  List<JsonNode> parameters() {
    List<JsonNode> all = new ArrayList<>();
    JsonNode pathItem = file.root().get("paths").get(path);
    for (JsonNode owner : List.of(pathItem, node)) {
      owner.path("parameters").forEach(parameter -> all.add(file.resolve(parameter)));
    }
    return all;
  }

  /** The media types it takes. */
  Set<String> bodyTypes() {
    Set<String> types = new TreeSet<>();
    body().path("content").fieldNames().forEachRemaining(types::add);
    return types;
  }

  /** The description of its body; missing when it takes none. */
  JsonNode body() {
    JsonNode body = node.path("requestBody");
    return body.isMissingNode() ? MissingNode.getInstance() : file.resolve(body);
  }

  /** The schema of its JSON body. */
  JsonNode bodySchema() {
    return file.resolve(body().path("content").path("application/json").path("schema"));
  }

  /** The names of the members of its JSON body. */
  Set<String> bodyMembers() {
    Set<String> names = new TreeSet<>();
    bodySchema().path("properties").fieldNames().forEachRemaining(names::add);
    return names;
  }

  /** The example of its JSON body. */
  JsonNode bodyExample() {
    return body().path("content").path("application/json").path("example");
  }
}
