package dev.onceward.process;

import java.util.Base64;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads a ring of secret keys that can be rotated: {@code id:base64[,id:base64…]}, the current key
 * first. To rotate, put a new key in front and keep the old ones while something made with them
 * lives.
 */
public final class NamedKeys {
  private static final Pattern ID = Pattern.compile("[0-9A-Za-z._-]{1,40}");

  private NamedKeys() {}

  /**
   * The keys by id, in their order. Like the getters of {@link Settings} it never throws for bad
   * input: it records the problem, which names the id at most, and returns an empty map.
   *
   * @param minBytes the least decoded length of a key
   * @param maxBytes the greatest decoded length of a key
   */
  public static Map<String, byte[]> read(
      Settings settings, String key, int minBytes, int maxBytes, String description) {
    String text = settings.secret(key, description).reveal().strip();
    if (settings.hasProblem(key)) {
      return Map.of();
    }
    Map<String, byte[]> keys = new LinkedHashMap<>();
    for (String part : text.split(",", -1)) {
      int colon = part.indexOf(':');
      String id = colon < 0 ? "" : part.substring(0, colon).strip();
      String length = minBytes == maxBytes ? minBytes + "" : minBytes + " to " + maxBytes;
      if (!ID.matcher(id).matches()) {
        return refuse(settings, key, "has an entry without a proper id", length);
      }
      byte[] bytes;
      try {
        bytes = Base64.getDecoder().decode(part.substring(colon + 1).strip());
      } catch (IllegalArgumentException notBase64) {
        return refuse(settings, key, "has a key \"" + id + "\" that is not Base64", length);
      }
      if (bytes.length < minBytes || bytes.length > maxBytes) {
        return refuse(
            settings, key, "has a key \"" + id + "\" of " + bytes.length + " bytes", length);
      }
      if (keys.put(id, bytes) != null) {
        return refuse(settings, key, "names the key \"" + id + "\" twice", length);
      }
    }
    return Collections.unmodifiableMap(keys);
  }

  private static Map<String, byte[]> refuse(
      Settings settings, String key, String message, String length) {
    settings.problem(
        key,
        message,
        "Give id:key[,id:key], the current one first, an id of letters, digits, dots and dashes,"
            + " and a key of "
            + length
            + " random bytes in Base64 (openssl rand -base64 32)");
    return Map.of();
  }
}
