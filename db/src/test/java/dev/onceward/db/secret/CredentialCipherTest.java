package dev.onceward.db.secret;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class CredentialCipherTest {

  private static final byte[] OLD_KEY = key(1);
  private static final byte[] NEW_KEY = key(2);

  @Test
  void text_comes_back_after_the_key_was_rotated() {
    byte[] encrypted =
        new CredentialCipher(Map.of("2025", OLD_KEY)).encrypt("{\"app\":\"ключ 🔑\"}", "store 1");
    Map<String, byte[]> rotated = new LinkedHashMap<>();
    rotated.put("2026", NEW_KEY);
    rotated.put("2025", OLD_KEY);
    CredentialCipher cipher = new CredentialCipher(rotated);
    assertThat(cipher.decrypt(encrypted, "store 1")).isEqualTo("{\"app\":\"ключ 🔑\"}");
    assertThat(new CredentialCipher(Map.of("2026", NEW_KEY)).decrypt(cipher.encrypt("x", "s"), "s"))
        .isEqualTo("x");
  }

  @Test
  void a_ciphertext_of_another_row_a_changed_one_and_an_unknown_key_are_refused() {
    CredentialCipher cipher = new CredentialCipher(Map.of("k", OLD_KEY));
    byte[] encrypted = cipher.encrypt("hidden", "store 1");
    byte[] changed = encrypted.clone();
    changed[changed.length - 1] ^= 1;
    assertThatThrownBy(() -> cipher.decrypt(encrypted, "store 2"))
        .isInstanceOf(UndecryptableException.class);
    assertThatThrownBy(() -> cipher.decrypt(changed, "store 1"))
        .isInstanceOf(UndecryptableException.class);
    assertThatThrownBy(() -> cipher.decrypt(Arrays.copyOf(encrypted, 5), "store 1"))
        .isInstanceOf(UndecryptableException.class);
    assertThatThrownBy(() -> cipher.decrypt(new byte[0], "store 1"))
        .isInstanceOf(UndecryptableException.class);
    assertThatThrownBy(
            () -> new CredentialCipher(Map.of("other", NEW_KEY)).decrypt(encrypted, "store 1"))
        .isInstanceOf(UndecryptableException.class)
        .hasMessageContaining("onceward.credential-keys");
  }

  @Test
  void the_same_text_is_never_encrypted_alike() {
    CredentialCipher cipher = new CredentialCipher(Map.of("k", OLD_KEY));
    assertThat(cipher.encrypt("x", "s")).isNotEqualTo(cipher.encrypt("x", "s"));
  }

  @Test
  void bad_keys_are_refused_by_name() {
    assertThatThrownBy(() -> new CredentialCipher(Map.of()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new CredentialCipher(Map.of("short", new byte[16])))
        .hasMessageContaining("short")
        .hasMessageContaining("16");
    assertThatThrownBy(() -> new CredentialCipher(Map.of("", OLD_KEY)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static byte[] key(int fill) {
    byte[] key = new byte[32];
    Arrays.fill(key, (byte) fill);
    return key;
  }
}
