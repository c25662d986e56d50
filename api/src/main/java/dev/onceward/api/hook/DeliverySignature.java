package dev.onceward.api.hook;

import dev.onceward.db.hook.HookSecret;
import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * The signature of a delivery as Standard Webhooks defines it: HMAC-SHA-256 over {@code
 * id.timestamp.body} with the bytes of the body as they came. Immutable.
 *
 * @param id the header {@code webhook-id}
 * @param timestamp the header {@code webhook-timestamp}, whole seconds since 1970, as it came
 * @param signatures the header {@code webhook-signature}: one or more {@code v1,<Base64>}, parted
 *     by spaces
 */
record DeliverySignature(String id, String timestamp, String signatures) {
  /** How far the sender's clock may be off, or how late a delivery may come. */
  static final Duration TOLERANCE = Duration.ofMinutes(5);

  private static final String ALGORITHM = "HmacSHA256";
  private static final String VERSION = "v1,";

  /** Whether one of the secrets makes one of the signatures, and the time is near. */
  boolean proves(List<HookSecret> secrets, byte[] body, Instant now) {
    boolean matches = false;
    for (HookSecret secret : secrets) {
      byte[] expected = expected(secret, body);
      for (String signature : signatures.split(" ")) {
        // No early end: the time is to tell nothing.
        matches |= MessageDigest.isEqual(expected, signature.getBytes(StandardCharsets.ISO_8859_1));
      }
    }
    long secondsOff = Math.abs(now.getEpochSecond() - Long.parseLong(timestamp));
    return matches && secondsOff <= TOLERANCE.toSeconds();
  }

  private byte[] expected(HookSecret secret, byte[] body) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(secret.key(), ALGORITHM));
      mac.update((id + "." + timestamp + ".").getBytes(StandardCharsets.US_ASCII));
      String signature = Base64.getEncoder().encodeToString(mac.doFinal(body));
      return (VERSION + signature).getBytes(StandardCharsets.US_ASCII);
    } catch (NoSuchAlgorithmException | InvalidKeyException e) {
      throw new IllegalStateException("every Java platform has " + ALGORITHM, e);
    }
  }
}
