package dev.onceward.api.json;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A JSON value that keeps number text and member order as they were written. Immutable. */
public sealed interface JsonValue {

  /** What the value is called in messages to the client. */
  String typeName();

  /** An object; member names are unique. */
  record JsonObject(Map<String, JsonValue> members) implements JsonValue {
    /** Copies the members, keeping their order. */
    public JsonObject {
      members = Collections.unmodifiableMap(new LinkedHashMap<>(members));
    }

    @Override
    public String typeName() {
      return "an object";
    }
  }

  /** An array. */
  record JsonArray(List<JsonValue> elements) implements JsonValue {
    /** Copies the elements. */
    public JsonArray {
      elements = List.copyOf(elements);
    }

    @Override
    public String typeName() {
      return "an array";
    }
  }

  /** A string without unpaired surrogates and without U+0000. */
  record JsonString(String text) implements JsonValue {
    @Override
    public String typeName() {
      return "a string";
    }
  }

  /** A number, as its text in the source: it may be beyond any numeric type of Java. */
  record JsonNumber(String text) implements JsonValue {
    @Override
    public String typeName() {
      return "a number";
    }
  }

  /** {@code true} or {@code false}. */
  record JsonBoolean(boolean value) implements JsonValue {
    @Override
    public String typeName() {
      return "a boolean";
    }
  }

  /** {@code null}. */
  record JsonNull() implements JsonValue {
    @Override
    public String typeName() {
      return "null";
    }
  }
}
