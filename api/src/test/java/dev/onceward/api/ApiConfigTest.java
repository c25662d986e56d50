package dev.onceward.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.process.ConfigurationException;
import dev.onceward.process.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiConfigTest {
  private static final Map<String, String> NEEDED =
      Map.of(
          "onceward.database.url",
          "jdbc:postgresql://localhost/onceward",
          "onceward.database.password",
          "hush",
          "onceward.api.fingerprint-keys",
          "a:" + TestApi.key('a'),
          "onceward.credential-keys",
          "c:" + TestApi.key('c'));

  @Test
  void the_needed_settings_suffice_and_the_others_have_defaults() {
    ApiConfig config = ApiConfig.from(Settings.of(NEEDED));

    assertThat(config.databaseUser()).isEqualTo("onceward_app");
    assertThat(config.host()).isEqualTo("0.0.0.0");
    assertThat(config.port()).isEqualTo(8080);
    assertThat(config.poolSize()).isEqualTo(10);
    assertThat(config.idempotencyRetention()).isEqualTo(Duration.ofDays(2));
    assertThat(config.toString()).doesNotContain("hush").doesNotContain(TestApi.key('a'));
  }

  @Test
  void everything_that_is_missing_is_told_at_once() {
    assertThatThrownBy(() -> ApiConfig.from(Settings.of(Map.of())))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining("onceward.database.url")
        .hasMessageContaining("onceward.database.password")
        .hasMessageContaining("onceward.api.fingerprint-keys")
        .hasMessageContaining("onceward.credential-keys");
  }

  @ParameterizedTest
  @CsvSource({
    "onceward.api.idempotency-retention, 23h",
    "onceward.api.port, 65536",
    "onceward.api.pool-size, 0",
    "onceward.api.prot, 1",
    "onceward.database.url, mysql://x",
    "onceward.credential-keys, c:AAAA",
    "onceward.api.fingerprint-keys, a"
  })
  void a_bad_setting_stops_the_start(String key, String value) {
    Map<String, String> settings = new HashMap<>(NEEDED);
    settings.put(key, value);

    assertThatThrownBy(() -> ApiConfig.from(Settings.of(settings)))
        .isInstanceOf(ConfigurationException.class)
        .hasMessageContaining(key);
  }
}
