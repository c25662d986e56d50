package dev.onceward.api.workspace;

import dev.onceward.api.json.Fields;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.db.secret.SecretGuard;
import org.jspecify.annotations.Nullable;

/** Reads names for people, which are stored in the clear and shown. */
final class NameField {
  private static final int MAX_CHARACTERS = 200;

  private NameField() {}

  static String required(Fields body, String name) {
    String text = body.text(name, MAX_CHARACTERS);
    if (SecretGuard.isSecretInText(text)) {
      throw Problem.of(
              ProblemCode.SECRET_REFUSED,
              "/" + name,
              "This name holds what looks like a password, key, token or signed URL.")
          .exception();
    }
    return text;
  }

  /** Null when the member is absent. */
  static @Nullable String optional(Fields body, String name) {
    return body.optional(name) == null ? null : required(body, name);
  }
}
