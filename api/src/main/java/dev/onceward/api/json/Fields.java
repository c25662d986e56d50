package dev.onceward.api.json;

import dev.onceward.api.json.JsonValue.JsonObject;
import dev.onceward.api.json.JsonValue.JsonString;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reads the members of one object and refuses what a call does not ask for: take each member, then
 * call {@link #refuseOthers()}. Confined to one thread.
 */
public final class Fields {
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
    JsonValue value = required(name);
    if (!(value instanceof JsonString string)) {
      throw invalid(at(name), "must be a string, not " + value.typeName());
    }
    int length = string.text().codePointCount(0, string.text().length());
    if (length < 1 || length > maxCharacters) {
      throw invalid(at(name), "must have 1 to " + maxCharacters + " characters, not " + length);
    }
    if (string.text().codePoints().anyMatch(Character::isISOControl)) {
      throw invalid(at(name), "must not hold control characters");
    }
    if (string.text().isBlank()) {
      throw invalid(at(name), "must not be blank");
    }
    return string.text();
  }

  /** A string member that matches a pattern as a whole; {@code rule} tells the client which. */
  public String text(String name, int maxCharacters, Pattern pattern, String rule) {
    String text = text(name, maxCharacters);
    if (!pattern.matcher(text).matches()) {
      throw invalid(at(name), rule);
    }
    return text;
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
