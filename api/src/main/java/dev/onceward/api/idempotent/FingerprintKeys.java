package dev.onceward.api.idempotent;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The server's keys for fingerprints, the current one and those of the rows that still live.
 * Thread-safe.
 *
 * <p>To rotate, give every instance the new key behind the old one, then put it in front, and keep
 * the old one for as long as answers are kept. Failure: an instance that lacks the key of a stored
 * fingerprint answers repetitions of that request with 503.
 */
public final class FingerprintKeys {
  /** The shortest key taken: as long as the hash (RFC 2104 §3). */
  public static final int MIN_KEY_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";

  private final String currentId;
  private final Map<String, SecretKeySpec> keys = new LinkedHashMap<>();

  /**
   * @param keysById the current key first; each at least {@value #MIN_KEY_BYTES} bytes long
   * @throws IllegalArgumentException when there is none or one is too short
   */
  public FingerprintKeys(Map<String, byte[]> keysById) {
    if (keysById.isEmpty()) {
      throw new IllegalArgumentException("at least one fingerprint key is needed");
    }
    keysById.forEach(
        (id, key) -> {
          if (key.length < MIN_KEY_BYTES) {
            throw new IllegalArgumentException(
                "fingerprint key " + id + " has fewer than " + MIN_KEY_BYTES + " bytes");
          }
          keys.put(id, new SecretKeySpec(key, ALGORITHM));
        });
    this.currentId = keys.keySet().iterator().next();
  }

  /** The id of the key that new fingerprints are made with. */
  public String currentId() {
    return currentId;
  }

  /** The ids of all keys in an order that is the same everywhere, whichever is the current one. */
  SortedSet<String> sortedIds() {
    return new TreeSet<>(keys.keySet());
  }

  /**
   * The HMAC-SHA-256 of the parts, told apart by their lengths.
   *
   * @param keyId as stored with a fingerprint
   * @return null when no key has this id
   */
  byte @Nullable [] hmac(String keyId, String... parts) {
    SecretKeySpec key = keys.get(keyId);
    if (key == null) {
      return null;
    }
    Mac mac = mac(key);
    for (String part : parts) {
      byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
      mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
      mac.update(bytes);
    }
    return mac.doFinal();
  }

  private static Mac mac(SecretKeySpec key) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(key);
      return mac;
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
