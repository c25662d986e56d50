package dev.onceward.db.hook;

import java.security.SecureRandom;
import java.util.Base64;

/**
 * A secret that a hook's sender signs with, in the form of Standard Webhooks: {@code whsec_} and
 * the key in Base64. Immutable. {@link #toString} hides it.
 */
public final class HookSecret {

  private static final String PREFIX = "whsec_";

  /** Standard Webhooks asks for 24 to 64 bytes. */
  private static final int BYTES = 32;

  private static final SecureRandom RANDOM = new SecureRandom();

  private final String text;

  private HookSecret(String text) {
    this.text = text;
  }

  /** A new secret with 256 random bits. */
  public static HookSecret generate() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return new HookSecret(PREFIX + Base64.getEncoder().encodeToString(bytes));
  }

  /**
   * The secret that {@link #reveal} gave as text.
   *
   * @throws IllegalArgumentException for another text; the message does not repeat it
   */
  public static HookSecret of(String text) {
    if (!text.startsWith(PREFIX)) {
      throw new IllegalArgumentException("not a secret of a hook: it begins otherwise");
    }
    HookSecret secret = new HookSecret(text);
    if (secret.key().length == 0) {
      throw new IllegalArgumentException("not a secret of a hook: it is empty");
    }
    return secret;
  }

  /** The whole text, to be shown once to whoever sets the sender up. */
  public String reveal() {
    return text;
  }

  /** The bytes of the HMAC key. */
  public byte[] key() {
    return Base64.getDecoder().decode(text.substring(PREFIX.length()));
  }

  @Override
  public String toString() {
    return PREFIX + "…";
  }
}
