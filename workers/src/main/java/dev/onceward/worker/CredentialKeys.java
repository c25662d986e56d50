package dev.onceward.worker;

import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;

/** Reads {@code id:base64[,id:base64]}, the current key first. */
final class CredentialKeys {

  private CredentialKeys() {}

  /**
   * The keys by id, in their order.
   *
   * @throws IllegalArgumentException naming the place, never a key
   */
  static Map<String, byte[]> parse(String text) {
    Map<String, byte[]> keys = new LinkedHashMap<>();
    String[] entries = text.strip().split(",", -1);
    for (int number = 1; number <= entries.length; number++) {
      String entry = entries[number - 1].strip();
      int colon = entry.indexOf(':');
      if (colon < 1) {
        throw new IllegalArgumentException("entry %d has no id in front".formatted(number));
      }
      String id = entry.substring(0, colon);
      byte[] key;
      try {
        key = Base64.getDecoder().decode(entry.substring(colon + 1).strip());
      } catch (IllegalArgumentException notBase64) {
        throw new IllegalArgumentException("the key of entry %d is not base64".formatted(number));
      }
      if (keys.put(id, key) != null) {
        throw new IllegalArgumentException("entry %d repeats an id".formatted(number));
      }
    }
    return keys;
  }
}
