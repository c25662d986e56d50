package dev.onceward.db.secret;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.util.LinkedHashMap;
import java.util.Map;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * Encrypts credentials with AES-256-GCM (NIST SP 800-38D). The result names the key that was used,
 * so that keys can be rotated: the first key encrypts, all of them decrypt. Immutable and
 * thread-safe.
 *
 * <p>Layout: one byte length of the key id, the key id in ASCII, 12 bytes nonce, ciphertext with a
 * 16-byte tag.
 */
public final class CredentialCipher {

  private static final String TRANSFORMATION = "AES/GCM/NoPadding";
  private static final int NONCE_BYTES = 12;
  private static final int TAG_BITS = 128;
  private static final int KEY_BYTES = 32;

  private final SecureRandom random = new SecureRandom();
  private final Map<String, SecretKey> keys = new LinkedHashMap<>();
  private final String currentKeyId;

  /**
   * A cipher over {@code keysById}, the current key first.
   *
   * @throws IllegalArgumentException if there is no key, an id is empty, longer than 40 or not
   *     ASCII, or a key does not have 32 bytes
   */
  public CredentialCipher(Map<String, byte[]> keysById) {
    if (keysById.isEmpty()) {
      throw new IllegalArgumentException(
          "No credential key is given; give at least one key of 32 bytes");
    }
    keysById.forEach(
        (keyId, key) -> {
          if (!keyId.matches("[!-~]{1,40}")) {
            throw new IllegalArgumentException(
                "The credential key id '%s' is not 1 to 40 visible ASCII characters"
                    .formatted(keyId));
          }
          if (key.length != KEY_BYTES) {
            throw new IllegalArgumentException(
                "The credential key %s has %d bytes; AES-256 needs 32"
                    .formatted(keyId, key.length));
          }
          keys.put(keyId, new SecretKeySpec(key, "AES"));
        });
    currentKeyId = keysById.keySet().iterator().next();
  }

  /**
   * Encrypts {@code plaintext}.
   *
   * @param boundTo what the ciphertext belongs to, for example a row's id; decryption needs the
   *     same text, so that a ciphertext cannot be moved to another row
   */
  public byte[] encrypt(String plaintext, String boundTo) {
    byte[] nonce = new byte[NONCE_BYTES];
    random.nextBytes(nonce);
    byte[] keyId = currentKeyId.getBytes(StandardCharsets.US_ASCII);
    byte[] ciphertext =
        apply(
            Cipher.ENCRYPT_MODE,
            currentKeyId,
            nonce,
            boundTo,
            plaintext.getBytes(StandardCharsets.UTF_8));
    return ByteBuffer.allocate(1 + keyId.length + NONCE_BYTES + ciphertext.length)
        .put((byte) keyId.length)
        .put(keyId)
        .put(nonce)
        .put(ciphertext)
        .array();
  }

  /**
   * Decrypts what {@link #encrypt} made.
   *
   * @throws UndecryptableException if the key is unknown, the text is damaged, or it belongs to
   *     something else
   */
  public String decrypt(byte[] encrypted, String boundTo) {
    try {
      ByteBuffer buffer = ByteBuffer.wrap(encrypted);
      byte[] keyId = new byte[buffer.get()];
      buffer.get(keyId);
      byte[] nonce = new byte[NONCE_BYTES];
      buffer.get(nonce);
      byte[] ciphertext = new byte[buffer.remaining()];
      buffer.get(ciphertext);
      byte[] plaintext =
          apply(
              Cipher.DECRYPT_MODE,
              new String(keyId, StandardCharsets.US_ASCII),
              nonce,
              boundTo,
              ciphertext);
      return new String(plaintext, StandardCharsets.UTF_8);
    } catch (BufferUnderflowException | NegativeArraySizeException e) {
      throw new UndecryptableException(
          "The encrypted credentials of %s are cut short".formatted(boundTo), e);
    }
  }

  private byte[] apply(int mode, String keyId, byte[] nonce, String boundTo, byte[] input) {
    SecretKey key = keys.get(keyId);
    if (key == null) {
      throw new UndecryptableException(
          "The credentials of %s were encrypted with a key that is not configured; add every key that was ever current to onceward.credential-keys"
              .formatted(boundTo),
          null);
    }
    try {
      Cipher cipher = Cipher.getInstance(TRANSFORMATION);
      cipher.init(mode, key, new GCMParameterSpec(TAG_BITS, nonce));
      cipher.updateAAD(boundTo.getBytes(StandardCharsets.UTF_8));
      return cipher.doFinal(input);
    } catch (GeneralSecurityException e) {
      throw new UndecryptableException(
          "The credentials of %s do not decrypt with the key %s: they are damaged or belong to another row"
              .formatted(boundTo, keyId),
          e);
    }
  }
}
