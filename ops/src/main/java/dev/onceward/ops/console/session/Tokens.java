package dev.onceward.ops.console.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Texts that nobody can guess. Thread-safe. */
public final class Tokens {
  private static final int BYTES = 32;
  private static final SecureRandom RANDOM = new SecureRandom();

  private Tokens() {}

  /** 256 random bits. */
  public static String random() {
    byte[] bytes = new byte[BYTES];
    RANDOM.nextBytes(bytes);
    return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
  }

  /** Whether both are the same, in a time that does not depend on where they differ. */
  public static boolean same(String expected, @Nullable String given) {
    return given != null && MessageDigest.isEqual(expected.getBytes(UTF_8), given.getBytes(UTF_8));
  }

  /** SHA-256 as hexadecimal digits. */
  static String hash(String token) {
    try {
      return HexFormat.of()
          .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException impossible) {
      throw new IllegalStateException("every Java platform has SHA-256", impossible);
    }
  }
}
