package dev.onceward.api.media;

import dev.onceward.api.json.Fields;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.SecretRefusal;
import dev.onceward.db.secret.SecretGuard;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;

/** The member {@code source_url}: stored in the clear and shown, so it may open nothing. */
final class SourceUrl {
  private static final String NAME = "source_url";
  private static final int MAX_CHARACTERS = 2_048;

  private SourceUrl() {}

  /**
   * @throws dev.onceward.api.problem.ProblemException {@code FIELD_INVALID}, or {@code
   *     SECRET_REFUSED} for a password, a token or a signature
   */
  static String read(Fields body) {
    String text = body.text(NAME, MAX_CHARACTERS);
    if (isSecret(text)) {
      throw new Problem(
              ProblemCode.SECRET_REFUSED, SecretRefusal.problem().detail(), "/" + NAME, Map.of())
          .exception();
    }
    URI url = parse(body, text);
    String scheme = url.getScheme();
    if (scheme == null || !scheme.toLowerCase(Locale.ROOT).matches("https?")) {
      throw body.invalid(NAME, "must be an absolute URL with http or https");
    }
    if (url.getHost() == null || url.getHost().isEmpty() || url.getPort() > 65_535) {
      throw body.invalid(NAME, "must name a host");
    }
    if (url.getRawUserInfo() != null) {
      throw body.invalid(NAME, "must not name a user");
    }
    if (url.getRawFragment() != null) {
      throw body.invalid(NAME, "must not have a fragment");
    }
    return scheme.toLowerCase(Locale.ROOT) + text.substring(scheme.length());
  }

  private static URI parse(Fields body, String text) {
    if (text.chars().anyMatch(c -> c <= ' ' || c >= 127)) {
      throw body.invalid(NAME, "must be ASCII without blanks, other characters percent-encoded");
    }
    try {
      return new URI(text);
    } catch (URISyntaxException e) {
      throw body.invalid(NAME, "must be a URL (RFC 3986)");
    }
  }

  /** As it is and with its percent-encoding undone, which could hide a parameter's name. */
  private static boolean isSecret(String text) {
    return SecretGuard.isSecretInText(text) || SecretGuard.isSecretInText(decoded(text));
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException malformed) {
      return text; // The parser refuses it.
    }
  }
}
