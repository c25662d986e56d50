package dev.onceward.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Base64;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamedKeysTest {
  private static final String KEY = "onceward.api.fingerprint-keys";
  private static final String BASE64 = Base64.getEncoder().encodeToString(new byte[32]);

  @Test
  void keys_keep_their_order_the_current_one_first() {
    Settings settings = Settings.of(Map.of(KEY, "2026b:" + BASE64 + ", 2026a:" + BASE64));

    assertThat(NamedKeys.read(settings, KEY, 32, 64, "").keySet())
        .containsExactly("2026b", "2026a");
    settings.verify();
  }

  @ParameterizedTest
  @ValueSource(strings = {"hush", ":hush", "a b:hush", "a:hush!", "a:aHVzaA==", "a:,b:"})
  void a_malformed_ring_stops_the_start_and_shows_no_key(String text) {
    Settings settings = Settings.of(Map.of(KEY, text));

    assertThat(NamedKeys.read(settings, KEY, 32, 64, "")).isEmpty();
    assertThatThrownBy(settings::verify)
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(KEY)
        .hasMessageNotContaining("hush")
        .hasMessageNotContaining("aHVzaA");
  }

  @Test
  void an_id_names_one_key() {
    Settings settings = Settings.of(Map.of(KEY, "a:" + BASE64 + ",a:" + BASE64));

    assertThat(NamedKeys.read(settings, KEY, 32, 64, "")).isEmpty();
    assertThatThrownBy(settings::verify).hasMessageContaining("\"a\" twice");
  }

  @Test
  void a_missing_ring_is_reported_as_missing() {
    Settings settings = Settings.of(Map.of());

    assertThat(NamedKeys.read(settings, KEY, 32, 64, "")).isEmpty();
    assertThatThrownBy(settings::verify).hasMessageContaining("is required but not set");
  }
}
