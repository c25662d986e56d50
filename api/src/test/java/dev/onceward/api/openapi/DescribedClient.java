package dev.onceward.api.openapi;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.onceward.api.TestClient;
import dev.onceward.api.TestClient.Reply;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Calls the service by the ids of the description's operations, and holds every answer, and what
 * the service says of members and parameters it does not know, to the description. Confined to one
 * thread.
 */
final class DescribedClient {
  /** A member and a parameter that no call knows. */
  private static final String UNKNOWN = "zzz_unknown";

  private static final Pattern TAKES = Pattern.compile("takes (?<names>[^.]*)\\.");

  private final ApiDescription description;
  private final Map<String, DescribedCall> calls;
  private final TestClient client;
  private final Set<String> called = new TreeSet<>();
  private final Set<String> seen = new TreeSet<>();

  DescribedClient(ApiDescription description, TestClient client) {
    this.description = description;
    this.calls = description.calls();
    this.client = client;
  }

  /** Ids of the operations that were called. */
  Set<String> called() {
    return called;
  }

  /** Pointers to the properties that were seen in answers. */
  Set<String> seenProperties() {
    return seen;
  }

  /** The description's own example of a body, to be changed. */
  ObjectNode example(String id) {
    return described(id).bodyExample().deepCopy();
  }

  /** Sends a body that is no JSON. */
  void send(String id, String body, String contentType, String... path) {
    DescribedCall call = described(id);
    String target = Parts.of(call, path).target();
    hold(id, client.send(call.method(), target, body, "Content-Type", contentType));
  }

  /** Calls with the description's own example as body. */
  JsonNode call(String id, String... pathAndHeaders) {
    return call(id, described(id).bodyExample(), pathAndHeaders);
  }

  /**
   * Calls with a body.
   *
   * @param pathAndHeaders {@code {name}} and value for the path, {@code ?name} for the query, any
   *     other name for a header
   */
  JsonNode call(String id, @Nullable JsonNode body, String... pathAndHeaders) {
    DescribedCall call = described(id);
    boolean json = call.bodyTypes().contains("application/json");
    Parts parts = Parts.of(call, pathAndHeaders);
    if (call.needsAccessKey()) {
      holdParametersToDescription(call, json ? body : null, parts);
      if (json && body instanceof ObjectNode members) {
        holdMembersToDescription(call, members, parts);
      }
    }
    if (json && body != null) {
      String schema = description.resolvePointer(call.pointer() + "/requestBody");
      assertThat(description.problems(schema + "/content/application~1json/schema", body))
          .as("the body for %s", id)
          .isEmpty();
    }
    Reply reply =
        client.send(
            call.method(),
            parts.target(),
            json && body != null ? body.toString() : null,
            parts.headers(call));
    hold(call, reply);
    called.add(id);
    return reply.body().isEmpty() || !isJson(reply) ? call.node() : reply.json();
  }

  /** Holds an answer that was got in another way to the description. */
  void hold(String id, Reply reply) {
    DescribedCall call = described(id);
    hold(call, reply);
    called.add(id);
  }

  private DescribedCall described(String id) {
    DescribedCall call = calls.get(id);
    if (call == null) {
      throw new AssertionError("the description has no operation " + id);
    }
    return call;
  }

  private void hold(DescribedCall call, Reply reply) {
    String shown = call.id() + " answered " + reply.status() + " " + limited(reply.body());
    assertThat(reply.status()).as(shown).isLessThan(400);
    String response = responsePointer(call, reply.status());
    JsonNode described = description.root().at(response);
    described
        .path("headers")
        .properties()
        .forEach(
            header -> {
              JsonNode rule = description.resolve(header.getValue());
              if (rule.path("required").asBoolean()) {
                assertThat(reply.header(header.getKey()))
                    .as("%s: header %s", shown, header.getKey())
                    .isNotNull();
              }
            });
    for (String header : List.of("Location", "ETag", "Idempotency-Replayed", "Retry-After")) {
      if (reply.header(header) != null) {
        assertThat(described.path("headers").has(header))
            .as("%s: header %s is described", shown, header)
            .isTrue();
      }
    }
    String contentType = reply.header("Content-Type");
    if (!described.has("content")) {
      assertThat(reply.body()).as(shown).isEmpty();
      return;
    }
    assertThat(contentType).as(shown).isNotNull();
    String mediaType = contentType.split(";", -1)[0];
    JsonNode content = described.get("content");
    assertThat(content.has(mediaType) || content.has("*/*"))
        .as(shown + " as " + mediaType)
        .isTrue();
    if (mediaType.equals("application/json")) {
      String schema = response + "/content/" + ApiDescription.escape(mediaType) + "/schema";
      assertThat(description.problems(schema, reply.json())).as(shown).isEmpty();
      record(description.resolvePointer(schema), reply.json());
    }
  }

  private String responsePointer(DescribedCall call, int status) {
    String responses = call.pointer() + "/responses";
    assertThat(call.node().get("responses").has(String.valueOf(status)))
        .as("%s describes status %s", call.id(), status)
        .isTrue();
    return description.resolvePointer(responses + "/" + status);
  }

  /** The service names all parameters it takes when it meets one it does not know. */
  private void holdParametersToDescription(
      DescribedCall call, @Nullable JsonNode body, Parts parts) {
    if (!call.bodyTypes().isEmpty() && !call.bodyTypes().contains("application/json")) {
      return;
    }
    Reply reply =
        client.send(
            call.method(),
            parts.with(UNKNOWN, "1").target(),
            body == null ? null : body.toString(),
            parts.headers(call));
    reply.expectProblem(400, "PARAMETER_INVALID");
    assertThat(named(reply)).as("query of %s", call.id()).isEqualTo(call.parameters("query"));
  }

  /** The service names all members it takes when it meets one it does not know. */
  private void holdMembersToDescription(DescribedCall call, ObjectNode body, Parts parts) {
    ObjectNode more = body.deepCopy().put(UNKNOWN, 1);
    Reply reply = client.send(call.method(), parts.target(), more.toString(), parts.headers(call));
    reply.expectProblem(400, "FIELD_UNKNOWN");
    assertThat(named(reply)).as("body of %s", call.id()).isEqualTo(call.bodyMembers());
  }

  private static Set<String> named(Reply reply) {
    Matcher takes = TAKES.matcher(reply.json().get("detail").asText());
    assertThat(takes.find()).as(reply.body()).isTrue();
    String names = takes.group("names");
    return names.startsWith("no ") ? Set.of() : new TreeSet<>(Arrays.asList(names.split(", ")));
  }

  /** Notes every described property that a value has. */
  private void record(String schemaPointer, JsonNode value) {
    JsonNode schema = description.root().at(schemaPointer);
    if (value.isArray()) {
      value.forEach(item -> record(description.resolvePointer(schemaPointer + "/items"), item));
    }
    schema
        .path("properties")
        .fieldNames()
        .forEachRemaining(
            name -> {
              if (value.has(name)) {
                String pointer = schemaPointer + "/properties/" + ApiDescription.escape(name);
                seen.add(pointer);
                record(description.resolvePointer(pointer), value.get(name));
              }
            });
  }

  private static boolean isJson(Reply reply) {
    String type = reply.header("Content-Type");
    return type != null && type.startsWith("application/json");
  }

  private static String limited(String text) {
    return text.length() > 500 ? text.substring(0, 500) + "…" : text;
  }

  /** The path, query and headers of one call. */
  private record Parts(String path, Map<String, String> query, Map<String, String> given) {

    static Parts of(DescribedCall call, String... pathAndHeaders) {
      String path = call.path();
      Map<String, String> query = new LinkedHashMap<>();
      Map<String, String> headers = new LinkedHashMap<>();
      for (int i = 0; i < pathAndHeaders.length; i += 2) {
        String name = pathAndHeaders[i];
        String value = pathAndHeaders[i + 1];
        if (name.startsWith("{")) {
          path = path.replace(name, value);
        } else if (name.startsWith("?")) {
          query.put(name.substring(1), value);
        } else {
          headers.put(name, value);
        }
      }
      return new Parts(path, query, headers);
    }

    Parts with(String name, String value) {
      Map<String, String> more = new LinkedHashMap<>(query);
      more.put(name, value);
      return new Parts(path, more, given);
    }

    String target() {
      if (query.isEmpty()) {
        return path;
      }
      StringBuilder target = new StringBuilder(path);
      char separator = '?';
      for (Map.Entry<String, String> parameter : query.entrySet()) {
        target.append(separator).append(parameter.getKey()).append('=');
        target.append(parameter.getValue());
        separator = '&';
      }
      return target.toString();
    }

    /** The given headers, and a fresh idempotency key where one is needed. */
    String[] headers(DescribedCall call) {
      Map<String, String> all = new LinkedHashMap<>(given);
      if (call.parameters("header").contains("Idempotency-Key")) {
        all.putIfAbsent("Idempotency-Key", UUID.randomUUID().toString());
      }
      return all.entrySet().stream()
          .flatMap(header -> java.util.stream.Stream.of(header.getKey(), header.getValue()))
          .toArray(String[]::new);
    }
  }
}
