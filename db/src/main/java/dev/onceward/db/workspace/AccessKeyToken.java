package dev.onceward.db.workspace;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The text by which a user proves who they are: {@code ow_<keyId>_<secret>}. Immutable. {@link
 * #toString} hides the secret.
 */
public final class AccessKeyToken {

  private static final Pattern FORM = Pattern.compile("ow_([0-9a-z]{8,40})_([0-9A-Za-z_-]{43})");
  private static final String KEY_ID_CHARACTERS = "0123456789abcdefghijklmnopqrstuvwxyz";
  private static final int KEY_ID_LENGTH = 16;
  private static final int SECRET_BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private final String keyId;
  private final String secret;

  private AccessKeyToken(String keyId, String secret) {
    this.keyId = keyId;
    this.secret = secret;
  }

  /** A new token with 256 random bits of secret. */
  public static AccessKeyToken generate() {
    StringBuilder keyId = new StringBuilder(KEY_ID_LENGTH);
    for (int i = 0; i < KEY_ID_LENGTH; i++) {
      keyId.append(KEY_ID_CHARACTERS.charAt(RANDOM.nextInt(KEY_ID_CHARACTERS.length())));
    }
    byte[] secret = new byte[SECRET_BYTES];
    RANDOM.nextBytes(secret);
    return new AccessKeyToken(
        keyId.toString(), Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
  }

  /** The token in {@code text}, or empty if it has another form. */
  public static Optional<AccessKeyToken> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(new AccessKeyToken(matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }

  /** The public half. */
  public String keyId() {
    return keyId;
  }

  /** The whole token, to be shown once to its user. */
  public String reveal() {
    return "ow_" + keyId + "_" + secret;
  }

  /** Whether the secret is the one behind {@code hash}; takes the same time whatever the answer. */
  public boolean matches(byte[] hash) {
    return MessageDigest.isEqual(secretHash(), hash);
  }

  /** SHA-256 of the secret; enough for a secret that has 256 random bits. */
  byte[] secretHash() {
    try {
      return MessageDigest.getInstance("SHA-256")
          .digest(secret.getBytes(StandardCharsets.US_ASCII));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
  }

  @Override
  public String toString() {
    return "ow_" + keyId + "_…";
  }
}
