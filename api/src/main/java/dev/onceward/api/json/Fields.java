package dev.onceward.api.json;

import dev.onceward.api.json.JsonValue.JsonArray;
import dev.onceward.api.json.JsonValue.JsonNumber;
import dev.onceward.api.json.JsonValue.JsonObject;
import dev.onceward.api.json.JsonValue.JsonString;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of one object and refuses what a call does not ask for: take each member, then
 * call {@link #refuseOthers()}. Confined to one thread.
 */
public final class Fields {
  // Only the form that we write, as in paths.
  private static final Pattern ID =
      Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}");

  private static final Pattern WHOLE_NUMBER = Pattern.compile("-?[0-9]{1,18}");

  private final Map<String, JsonValue> members;
  private final Place place;
  private final Set<String> taken = new LinkedHashSet<>();

  private Fields(JsonObject object, Place place) {
    this.members = object.members();
    this.place = place;
  }

  /**
   * The members of a body.
   *
   * @throws ProblemException {@code FIELD_INVALID} when the body is no object
   */
  public static Fields of(JsonValue body) {
    return of(body, new Place("", null));
  }

  private static Fields of(JsonValue value, Place place) {
    if (value instanceof JsonObject object) {
      return new Fields(object, place);
    }
    throw invalid(place, "must be an object, not " + value.typeName());
  }

  /** The members of an object member; refused when it is absent or no object. */
  public Fields object(String name) {
    return of(required(name), at(name));
  }

  /**
   * A string member.
   *
   * @param maxCharacters the most Unicode code points it may have; it has at least one
   * @throws ProblemException {@code FIELD_REQUIRED} or {@code FIELD_INVALID}
   */
  public String text(String name, int maxCharacters) {
    String text = anyText(name, maxCharacters);
    if (text.codePoints().anyMatch(Character::isISOControl)) {
      throw invalid(at(name), "must not hold control characters");
    }
    return text;
  }

  /** A string member in which line feeds, carriage returns and tabs may stand. */
  public String multilineText(String name, int maxCharacters) {
    String text = anyText(name, maxCharacters);
    if (text.codePoints().anyMatch(c -> Character.isISOControl(c) && "\n\r\t".indexOf(c) < 0)) {
      throw invalid(at(name), "must not hold control characters but line feeds and tabs");
    }
    return text;
  }

  private String anyText(String name, int maxCharacters) {
    JsonValue value = required(name);
    if (!(value instanceof JsonString string)) {
      throw invalid(at(name), "must be a string, not " + value.typeName());
    }
    int length = string.text().codePointCount(0, string.text().length());
    if (length < 1 || length > maxCharacters) {
      throw invalid(at(name), "must have 1 to " + maxCharacters + " characters, not " + length);
    }
    if (string.text().isBlank()) {
      throw invalid(at(name), "must not be blank");
    }
    return string.text();
  }

  /** Whether the member is there, whatever its value; this alone does not take it. */
  public boolean has(String name) {
    return members.containsKey(name);
  }

  /**
   * An id of ours.
   *
   * @throws ProblemException {@code FIELD_REQUIRED} or {@code FIELD_INVALID}
   */
  public UUID id(String name) {
    return id(required(name), at(name));
  }

  /** An array of different ids of ours, empty when it is absent. */
  public List<UUID> ids(String name, int most) {
    JsonValue value = optional(name);
    if (value == null) {
      return List.of();
    }
    if (!(value instanceof JsonArray array)) {
      throw invalid(at(name), "must be an array, not " + value.typeName());
    }
    if (array.elements().size() > most) {
      throw invalid(at(name), "must have " + most + " elements at most");
    }
    List<UUID> ids = new ArrayList<>();
    for (JsonValue element : array.elements()) {
      Place place = new Place(Integer.toString(ids.size()), at(name));
      UUID id = id(element, place);
      if (ids.contains(id)) {
        throw invalid(place, "must not stand in the array twice");
      }
      ids.add(id);
    }
    return ids;
  }

  private static UUID id(JsonValue value, Place place) {
    if (value instanceof JsonString string && ID.matcher(string.text()).matches()) {
      return UUID.fromString(string.text());
    }
    throw invalid(place, "must be an id as an earlier answer gave it");
  }

  /** A string member that matches a pattern as a whole; {@code rule} tells the client which. */
  public String text(String name, int maxCharacters, Pattern pattern, String rule) {
    String text = text(name, maxCharacters);
    if (!pattern.matcher(text).matches()) {
      throw invalid(at(name), rule);
    }
    return text;
  }

  /**
   * A whole number, written without fraction and exponent.
   *
   * @throws ProblemException {@code FIELD_REQUIRED} or {@code FIELD_INVALID}
   */
  public long wholeNumber(String name, long least, long most) {
    JsonValue value = required(name);
    if (!(value instanceof JsonNumber number)) {
      throw invalid(at(name), "must be a number, not " + value.typeName());
    }
    if (WHOLE_NUMBER.matcher(number.text()).matches()) {
      long parsed = Long.parseLong(number.text());
      if (parsed >= least && parsed <= most) {
        return parsed;
      }
    }
    throw invalid(at(name), "must be a whole number from " + least + " to " + most);
  }

  /** A member that may be absent, whatever its type; {@code null} in the body is not absent. */
  public @Nullable JsonValue optional(String name) {
    taken.add(name);
    return members.get(name);
  }

  /** The names of all members, in the order of the body. */
  public Set<String> names() {
    return members.keySet();
  }

  /**
   * Refuses a body with a member that was not asked for.
   *
   * @throws ProblemException {@code FIELD_UNKNOWN}
   */
  public void refuseOthers() {
    for (String name : members.keySet()) {
      if (!taken.contains(name)) {
        throw Problem.of(
                ProblemCode.FIELD_UNKNOWN,
                at(name).pointer(),
                taken.isEmpty()
                    ? "This object takes no members."
                    : "This object takes " + String.join(", ", taken) + ".")
            .exception();
      }
    }
  }

  /** Refuses a member for a rule that only the caller knows. */
  public ProblemException invalid(String name, String rule) {
    return invalid(at(name), rule);
  }

  private JsonValue required(String name) {
    JsonValue value = optional(name);
    if (value == null) {
      throw Problem.of(ProblemCode.FIELD_REQUIRED, at(name).pointer(), "This member is required.")
          .exception();
    }
    return value;
  }

  private Place at(String name) {
    return new Place(name, place);
  }

  private static ProblemException invalid(Place place, String rule) {
    return Problem.of(ProblemCode.FIELD_INVALID, place.pointer(), "The value " + rule + ".")
        .exception();
  }
}
