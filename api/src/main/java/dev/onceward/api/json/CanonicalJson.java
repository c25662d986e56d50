package dev.onceward.api.json;

import dev.onceward.api.json.JsonValue.JsonArray;
import dev.onceward.api.json.JsonValue.JsonBoolean;
import dev.onceward.api.json.JsonValue.JsonNull;
import dev.onceward.api.json.JsonValue.JsonNumber;
import dev.onceward.api.json.JsonValue.JsonObject;
import dev.onceward.api.json.JsonValue.JsonString;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

/**
 * The one text that stands for all equal bodies: no white space, members ordered by the UTF-16 code
 * units of their names and the string escapes of RFC 8785, but every number with the text it had.
 *
 * <p>Why not a library for RFC 8785: the RFC rewrites numbers through {@code double}, so that two
 * different big numbers become one text and a changed request could pass as a repeated one. For
 * texts without such numbers the result is that of RFC 8785, and a test compares it with a library.
 */
public final class CanonicalJson {
  private static final char[] HEX = "0123456789abcdef".toCharArray();

  private CanonicalJson() {}

  /** The canonical text of a value. */
  public static String write(JsonValue value) {
    StringBuilder out = new StringBuilder();
    write(value, out);
    return out.toString();
  }

  private static void write(JsonValue value, StringBuilder out) {
    if (value instanceof JsonObject object) {
      writeObject(object, out);
    } else if (value instanceof JsonArray array) {
      writeArray(array, out);
    } else if (value instanceof JsonString string) {
      writeString(string.text(), out);
    } else if (value instanceof JsonNumber number) {
      out.append(number.text());
    } else if (value instanceof JsonBoolean bool) {
      out.append(bool.value());
    } else if (value instanceof JsonNull) {
      out.append("null");
    } else {
      throw new IllegalStateException("no such JSON value: " + value.typeName());
    }
  }

  private static void writeObject(JsonObject object, StringBuilder out) {
    out.append('{');
    // String's own order is that of UTF-16 code units, as RFC 8785 §3.2.3 asks.
    Iterator<Map.Entry<String, JsonValue>> members =
        new TreeMap<>(object.members()).entrySet().iterator();
    while (members.hasNext()) {
      Map.Entry<String, JsonValue> member = members.next();
      writeString(member.getKey(), out);
      out.append(':');
      write(member.getValue(), out);
      if (members.hasNext()) {
        out.append(',');
      }
    }
    out.append('}');
  }

  private static void writeArray(JsonArray array, StringBuilder out) {
    out.append('[');
    for (int i = 0; i < array.elements().size(); i++) {
      if (i > 0) {
        out.append(',');
      }
      write(array.elements().get(i), out);
    }
    out.append(']');
  }

  private static void writeString(String text, StringBuilder out) {
    out.append('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      switch (c) {
        case '"' -> out.append("\\\"");
        case '\\' -> out.append("\\\\");
        case '\b' -> out.append("\\b");
        case '\t' -> out.append("\\t");
        case '\n' -> out.append("\\n");
        case '\f' -> out.append("\\f");
        case '\r' -> out.append("\\r");
        default -> {
          if (c < ' ') {
            out.append("\\u00").append(HEX[c >> 4]).append(HEX[c & 15]);
          } else {
            out.append(c);
          }
        }
      }
    }
    out.append('"');
  }
}
