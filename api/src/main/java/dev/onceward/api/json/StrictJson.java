package dev.onceward.api.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import dev.onceward.api.json.JsonValue.JsonArray;
import dev.onceward.api.json.JsonValue.JsonBoolean;
import dev.onceward.api.json.JsonValue.JsonNull;
import dev.onceward.api.json.JsonValue.JsonNumber;
import dev.onceward.api.json.JsonValue.JsonObject;
import dev.onceward.api.json.JsonValue.JsonString;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads one JSON text and refuses whatever two readers could understand differently; the rules are
 * in the package's description. Thread-safe.
 */
public final class StrictJson {
  /** Objects and arrays inside one another, the outermost counted as one. */
  public static final int MAX_DEPTH = 64;

  /** Characters of one number. */
  public static final int MAX_NUMBER_CHARACTERS = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH + 1) // ours answers first
                  .maxNumberLength(MAX_NUMBER_CHARACTERS)
                  .build())
          .build();

  private StrictJson() {}

  /**
   * Reads the text.
   *
   * @param utf8 the whole body
   * @throws ProblemException with a {@code JSON_…} or {@code BODY_REQUIRED} code when it is refused
   */
  public static JsonValue read(byte[] utf8) {
    if (utf8.length == 0) {
      throw Problem.of(ProblemCode.BODY_REQUIRED, "This call needs a JSON body.").exception();
    }
    CharBuffer text = decode(utf8);
    try (JsonParser parser =
        FACTORY.createParser(text.array(), text.arrayOffset(), text.remaining())) {
      JsonToken first = parser.nextToken();
      if (first == null) {
        throw Problem.of(ProblemCode.BODY_REQUIRED, "This call needs a JSON body.").exception();
      }
      JsonValue value = value(parser, first, new Place("", null), 0);
      if (parser.nextToken() != null) {
        throw malformed(parser, "there is text after the JSON value");
      }
      return value;
    } catch (StreamConstraintsException e) {
      throw Problem.of(
              ProblemCode.JSON_MALFORMED,
              "A number or name of the body is longer than we read (numbers: "
                  + MAX_NUMBER_CHARACTERS
                  + " characters).")
          .exception();
    } catch (JsonProcessingException e) {
      // Jackson's own message quotes the body, which may hold a secret: only the place is told.
      var at = e.getLocation();
      throw malformed(at == null ? 0 : at.getLineNr(), at == null ? 0 : at.getColumnNr(), "");
    } catch (IOException e) {
      throw new IllegalStateException("reading from memory cannot fail", e);
    }
  }

  private static CharBuffer decode(byte[] utf8) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(utf8));
    } catch (CharacterCodingException e) {
      throw Problem.of(ProblemCode.JSON_MALFORMED, "The body is not valid UTF-8.").exception();
    }
  }

  private static JsonValue value(JsonParser parser, JsonToken token, Place place, int depth)
      throws IOException {
    return switch (token) {
      case START_OBJECT -> object(parser, place, deeper(depth));
      case START_ARRAY -> array(parser, place, deeper(depth));
      case VALUE_STRING -> new JsonString(checked(parser.getText(), place));
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> new JsonNumber(parser.getText());
      case VALUE_TRUE -> new JsonBoolean(true);
      case VALUE_FALSE -> new JsonBoolean(false);
      case VALUE_NULL -> new JsonNull();
      default -> throw malformed(parser, "");
    };
  }

  private static JsonValue object(JsonParser parser, Place place, int depth) throws IOException {
    Map<String, JsonValue> members = new LinkedHashMap<>();
    while (next(parser) != JsonToken.END_OBJECT) {
      Place member = new Place(parser.currentName(), place);
      String name = checked(parser.currentName(), member);
      if (members.containsKey(name)) {
        throw Problem.of(
                ProblemCode.JSON_DUPLICATE_MEMBER,
                member.pointer(),
                "The object names this member twice; send it once.")
            .exception();
      }
      members.put(name, value(parser, next(parser), member, depth));
    }
    return new JsonObject(members);
  }

  private static JsonValue array(JsonParser parser, Place place, int depth) throws IOException {
    List<JsonValue> elements = new ArrayList<>();
    JsonToken token = next(parser);
    while (token != JsonToken.END_ARRAY) {
      Place element = new Place(Integer.toString(elements.size()), place);
      elements.add(value(parser, token, element, depth));
      token = next(parser);
    }
    return new JsonArray(elements);
  }

  private static JsonToken next(JsonParser parser) throws IOException {
    JsonToken token = parser.nextToken();
    if (token == null) {
      throw malformed(parser, "it ends too early");
    }
    return token;
  }

  private static int deeper(int depth) {
    if (depth == MAX_DEPTH) {
      throw Problem.of(
              ProblemCode.JSON_TOO_DEEP,
              "Objects and arrays may be nested " + MAX_DEPTH + " deep at most.")
          .exception();
    }
    return depth + 1;
  }

  private static String checked(String text, Place place) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == 0) {
        throw Problem.of(
                ProblemCode.JSON_NUL_CHARACTER,
                place.pointer(),
                "The character U+0000 cannot be stored; remove it.")
            .exception();
      }
      if (Character.isSurrogate(c)) {
        boolean pair =
            Character.isHighSurrogate(c)
                && i + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(i + 1));
        if (!pair) {
          throw Problem.of(
                  ProblemCode.JSON_UNPAIRED_SURROGATE,
                  place.pointer(),
                  "The string holds half of a surrogate pair.")
              .exception();
        }
        i++;
      }
    }
    return text;
  }

  private static ProblemException malformed(JsonParser parser, String why) {
    var at = parser.currentLocation();
    return malformed(at.getLineNr(), at.getColumnNr(), why);
  }

  private static ProblemException malformed(int line, int column, String why) {
    String reason = why.isEmpty() ? "" : ": " + why;
    return Problem.of(
            ProblemCode.JSON_MALFORMED,
            "The body is not JSON (line " + line + ", column " + column + ")" + reason + ".")
        .exception();
  }
}
