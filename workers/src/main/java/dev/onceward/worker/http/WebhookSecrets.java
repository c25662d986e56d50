package dev.onceward.worker.http;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Signs what is posted, by the Standard Webhooks scheme: {@code v1} and an HMAC-SHA256 over id,
 * timestamp and body. Several secrets give several signatures, so that one can be replaced.
 * Immutable; its text form shows nothing.
 */
public final class WebhookSecrets {

  private static final String PREFIX = "whsec_";
  private static final int MIN_BYTES = 24;
  private static final int MAX_BYTES = 64;

  private final List<byte[]> keys;

  private WebhookSecrets(List<byte[]> keys) {
    this.keys = List.copyOf(keys);
  }

  /**
   * Reads secrets as they are written.
   *
   * @param text {@code whsec_BASE64[,whsec_BASE64]}
   * @throws IllegalArgumentException if it is of another form; the message does not repeat it
   */
  public static WebhookSecrets parse(String text) {
    List<byte[]> keys = new ArrayList<>();
    for (String one : text.split(",", -1)) {
      String secret = one.strip();
      if (!secret.startsWith(PREFIX)) {
        throw new IllegalArgumentException("a secret begins with " + PREFIX);
      }
      byte[] key;
      try {
        key = Base64.getDecoder().decode(secret.substring(PREFIX.length()));
      } catch (IllegalArgumentException malformed) {
        throw new IllegalArgumentException("a secret is base64 after " + PREFIX);
      }
      if (key.length < MIN_BYTES || key.length > MAX_BYTES) {
        throw new IllegalArgumentException("a secret has 24 to 64 bytes");
      }
      keys.add(key);
    }
    return new WebhookSecrets(keys);
  }

  /** The value of {@code webhook-signature}. */
  String sign(String id, long timestampSeconds, byte[] body) {
    StringBuilder signatures = new StringBuilder();
    for (byte[] key : keys) {
      Mac mac = mac(key);
      mac.update((id + "." + timestampSeconds + ".").getBytes(StandardCharsets.UTF_8));
      signatures
          .append(signatures.isEmpty() ? "" : " ")
          .append("v1,")
          .append(Base64.getEncoder().encodeToString(mac.doFinal(body)));
    }
    return signatures.toString();
  }

  private static Mac mac(byte[] key) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      return mac;
    } catch (GeneralSecurityException impossible) {
      throw new IllegalStateException("every JVM has HmacSHA256", impossible);
    }
  }

  @Override
  public String toString() {
    return keys.size() + " secrets";
  }
}
