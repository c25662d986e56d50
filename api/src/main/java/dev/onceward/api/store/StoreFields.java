package dev.onceward.api.store;

import dev.onceward.api.json.CanonicalJson;
import dev.onceward.api.json.Fields;
import dev.onceward.api.json.JsonValue;
import dev.onceward.api.json.JsonValue.JsonObject;
import dev.onceward.api.json.JsonValue.JsonString;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.secret.SecretGuard;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** What the store calls read from bodies. */
final class StoreFields {
  private static final int MAX_PLATFORM_CHARACTERS = 60;
  private static final int MAX_TEXT_CHARACTERS = 200;
  private static final int MAX_CREDENTIALS = 20;
  private static final int MAX_CREDENTIAL_CHARACTERS = 4_096;
  private static final Pattern PLATFORM = Pattern.compile("[a-z][a-z0-9_]*");
  private static final Pattern CREDENTIAL_NAME = Pattern.compile("[A-Za-z][A-Za-z0-9_.-]{0,59}");

  private StoreFields() {}

  static String platform(Fields body) {
    return body.text(
        "platform",
        MAX_PLATFORM_CHARACTERS,
        PLATFORM,
        "must begin with a letter and hold lower-case letters, digits and underscores only");
  }

  static String externalId(Fields body) {
    return shown(body, "external_id");
  }

  static String name(Fields body) {
    return shown(body, "name");
  }

  /** A text that is stored in the clear. */
  private static String shown(Fields body, String name) {
    String text = body.text(name, MAX_TEXT_CHARACTERS);
    if (SecretGuard.isSecretInText(text)) {
      throw Problem.of(
              ProblemCode.SECRET_REFUSED,
              "/" + name,
              "This holds what looks like a password, key, token or signed URL; it belongs into"
                  + " credentials.")
          .exception();
    }
    return text;
  }

  /** The member {@code credentials}: named texts, returned as the JSON object to encrypt. */
  static String credentials(Fields body) {
    Fields credentials = body.object("credentials");
    Map<String, JsonValue> members = new LinkedHashMap<>();
    for (String name : List.copyOf(credentials.names())) {
      if (!CREDENTIAL_NAME.matcher(name).matches()) {
        throw credentials.invalid(
            name, "has a name that is no word of letters, digits, dots, dashes and underscores");
      }
      JsonValue value = credentials.optional(name);
      if (!(value instanceof JsonString text)
          || text.text().isEmpty()
          || text.text().length() > MAX_CREDENTIAL_CHARACTERS) {
        throw credentials.invalid(
            name, "must be a string of 1 to " + MAX_CREDENTIAL_CHARACTERS + " characters");
      }
      members.put(name, text);
    }
    if (members.isEmpty() || members.size() > MAX_CREDENTIALS) {
      throw body.invalid("credentials", "must have 1 to " + MAX_CREDENTIALS + " members");
    }
    return CanonicalJson.write(new JsonObject(members));
  }
}
