package dev.onceward.api.openapi;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Tuple;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests that are nearly right: each is the description's own example with one thing or
 * another changed, so that most pass authentication and parsing.
 */
final class OddRequests {
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final List<String> knownIds;

  /**
   * @param knownIds of resources that exist
   */
  OddRequests(List<String> knownIds) {
    this.knownIds = knownIds;
  }

  /** One request to be sent. */
  record OddRequest(
      DescribedCall call, String target, @Nullable String body, List<String> headers) {}

  /** Requests of one operation. */
  Arbitrary<OddRequest> of(DescribedCall call) {
    return Combinators.combine(pathValue(), query(call), body(call), headers(call))
        .as(
            (path, query, body, headers) ->
                new OddRequest(
                    call,
                    call.path().replaceAll("\\{[^}]*}", path) + query,
                    body.isEmpty() ? null : body,
                    headers));
  }

  private Arbitrary<String> pathValue() {
    return Arbitraries.frequencyOf(
        Tuple.of(8, Arbitraries.of(knownIds)),
        Tuple.of(1, Arbitraries.create(() -> UUID.randomUUID().toString())),
        Tuple.of(1, text().map(OddRequests::encode).map(t -> t.isEmpty() ? "x" : t)));
  }

  private static Arbitrary<String> query(DescribedCall call) {
    List<String> names = new ArrayList<>(call.parameters("query"));
    Arbitrary<String> name =
        names.isEmpty() ? text() : Arbitraries.oneOf(Arbitraries.of(names), text());
    Arbitrary<String> one =
        Combinators.combine(name, Arbitraries.oneOf(text(), Arbitraries.of("1", "50", "20ms", "")))
            .as((n, value) -> encode(n) + "=" + encode(value));
    return Arbitraries.frequencyOf(
        Tuple.of(7, Arbitraries.just("")),
        Tuple.of(3, one.list().ofMinSize(1).ofMaxSize(3).map(all -> "?" + String.join("&", all))));
  }

  private static Arbitrary<String> body(DescribedCall call) {
    if (call.bodyTypes().isEmpty()) {
      return Arbitraries.just("");
    }
    if (!call.bodyTypes().contains("application/json")) {
      return text();
    }
    ObjectNode example = call.bodyExample().deepCopy();
    List<String> members = new ArrayList<>(call.bodyMembers());
    Arbitrary<String> member =
        members.isEmpty()
            ? text()
            : Arbitraries.frequencyOf(Tuple.of(9, Arbitraries.of(members)), Tuple.of(1, text()));
    Arbitrary<Map<String, JsonNode>> changes = Arbitraries.maps(member, json()).ofMaxSize(3);
    Arbitrary<String> changed =
        changes.map(
            map -> {
              ObjectNode body = example.deepCopy();
              new LinkedHashMap<>(map)
                  .forEach(
                      (name, value) -> {
                        if (value.isMissingNode()) {
                          body.remove(name);
                        } else {
                          body.set(name, value);
                        }
                      });
              return body.toString();
            });
    return Arbitraries.frequencyOf(
        Tuple.of(9, changed),
        Tuple.of(1, Arbitraries.oneOf(text(), json().map(JsonNode::toString), torn(changed))));
  }

  private static Arbitrary<String> torn(Arbitrary<String> whole) {
    return Combinators.combine(whole, Arbitraries.integers().between(0, 99))
        .as((text, percent) -> text.substring(0, text.length() * percent / 100));
  }

  private static Arbitrary<List<String>> headers(DescribedCall call) {
    Arbitrary<String> visible =
        Arbitraries.strings().withCharRange('!', '~').ofMinLength(1).ofMaxLength(210);
    Arbitrary<String> key =
        Arbitraries.frequencyOf(
            Tuple.of(9, Arbitraries.create(() -> UUID.randomUUID().toString())),
            Tuple.of(1, visible));
    Arbitrary<List<String>> extra =
        Arbitraries.frequencyOf(
            Tuple.of(7, Arbitraries.just(List.of())),
            Tuple.of(
                3,
                Combinators.combine(
                        Arbitraries.of(
                            "X-Request-Id",
                            "X-Correlation-Id",
                            "traceparent",
                            "If-Match",
                            "Accept",
                            "Content-Type",
                            "webhook-id",
                            "webhook-timestamp",
                            "webhook-signature"),
                        visible)
                    .as(List::of)));
    return Combinators.combine(key, extra)
        .as(
            (idempotencyKey, more) -> {
              List<String> all = new ArrayList<>(more);
              if (call.parameters("header").contains("Idempotency-Key")) {
                all.addAll(List.of("Idempotency-Key", idempotencyKey));
              }
              if (call.parameters("header").contains("If-Match") && !more.contains("If-Match")) {
                all.addAll(List.of("If-Match", "\"1\""));
              }
              return all;
            });
  }

  /** Any JSON value; missing stands for the absence of a member. */
  private static Arbitrary<JsonNode> json() {
    return Arbitraries.lazyOf(
        () -> text().map(JSON::textNode),
        () -> Arbitraries.of(JSON.nullNode(), JSON.booleanNode(true), JSON.missingNode()),
        () -> Arbitraries.bigDecimals().map(JSON::numberNode),
        () -> Arbitraries.longs().map(JSON::numberNode),
        () ->
            Arbitraries.of("1e400", "-0", "1E-999", "12345678901234567890123")
                .map(OddRequests::number),
        () -> json().list().ofMaxSize(3).map(OddRequests::array),
        () -> Arbitraries.maps(text(), json()).ofMaxSize(3).map(OddRequests::object),
        () -> Arbitraries.integers().between(1, 80).map(OddRequests::nested));
  }

  private static JsonNode number(String text) {
    return JSON.rawValueNode(new RawValue(text));
  }

  private static JsonNode array(List<JsonNode> items) {
    return MAPPER
        .createArrayNode()
        .addAll(items.stream().filter(item -> !item.isMissingNode()).collect(Collectors.toList()));
  }

  private static JsonNode object(Map<String, JsonNode> members) {
    ObjectNode object = MAPPER.createObjectNode();
    members.forEach(
        (name, value) -> {
          if (!value.isMissingNode()) {
            object.set(name, value);
          }
        });
    return object;
  }

  private static JsonNode nested(int depth) {
    JsonNode node = JSON.textNode("x");
    for (int i = 0; i < depth; i++) {
      node = MAPPER.createArrayNode().add(node);
    }
    return node;
  }

  private static Arbitrary<String> text() {
    return Arbitraries.oneOf(
        Arbitraries.strings().all().ofMaxLength(20),
        Arbitraries.strings().ascii().ofMaxLength(300),
        Arbitraries.strings().alpha().ofMinLength(1).ofMaxLength(8),
        Arbitraries.of(
            "\0", "\ud800", "\u202e", "😀", "' OR 1=1 --", "../..", "%00", "password=x"));
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
