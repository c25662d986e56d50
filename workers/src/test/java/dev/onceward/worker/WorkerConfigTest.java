package dev.onceward.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onceward.process.ConfigurationException;
import dev.onceward.process.Settings;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkerConfigTest {

  private static final String KEY = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  static Map<String, String> least() {
    Map<String, String> settings = new HashMap<>();
    settings.put("onceward.database.url", "jdbc:postgresql://db:5432/onceward");
    settings.put("onceward.database.password", "hunter2hunter2");
    settings.put("onceward.kafka.bootstrap.servers", "kafka-1:9092, kafka-2:9092");
    settings.put("onceward.credential-keys", "k2:" + KEY + ",k1:" + KEY);
    settings.put("onceward.worker.platform-url", "https://platform.example");
    return settings;
  }

  @Test
  void the_defaults_are_those_of_the_design() {
    WorkerConfig config = WorkerConfig.from(Settings.of(least()));

    assertThat(config.user()).isEqualTo("onceward_app");
    assertThat(config.groupId()).isEqualTo("onceward-workers");
    assertThat(config.topicNames().prefix()).isEqualTo("onceward.");
    assertThat(config.healthPort()).isEqualTo(8082);
    assertThat(config.times().lease()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.times().renewal()).isEqualTo(Duration.ofSeconds(10));
    assertThat(config.times().handlerTimeout()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.times().backoff().first()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.times().backoff().cap()).isEqualTo(Duration.ofMinutes(10));
    assertThat(config.times().backoff().jitter()).isEqualTo(0.2);
    assertThat(config.dueInterval()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.recent()).isEqualTo(Duration.ofSeconds(60));
    assertThat(config.order()).isEqualTo(DeliveryOrder.AGGREGATE);
    assertThat(config.materials().maxBytes()).isEqualTo(16 * 1024 * 1024);
    assertThat(config.materials().timeout()).isEqualTo(Duration.ofSeconds(30));
    assertThat(config.materials().allowedHosts()).isEmpty();
    assertThat(config.unknownTypes()).isEqualTo(UnknownTypes.DEAD_LETTER);
    assertThat(config.toString()).doesNotContain("hunter2").doesNotContain(KEY);
  }

  @Test
  void everything_that_is_missing_is_named_at_once() {
    ConfigurationException refused = refusal(Map.of());

    assertThat(refused.problems())
        .extracting(ConfigurationException.Problem::key)
        .contains(
            "onceward.database.url",
            "onceward.database.password",
            "onceward.kafka.bootstrap.servers",
            "onceward.credential-keys",
            "onceward.worker.platform-url");
  }

  @ParameterizedTest
  @CsvSource({
    "onceward.kafka.bootstrap.servers, kafka",
    "onceward.kafka.bootstrap.servers, 'kafka:9092,'",
    "onceward.kafka.auto.offset.reset, latest",
    "onceward.kafka.enable.auto.commit, true",
    "onceward.kafka.group.id, mine",
    "onceward.topic-prefix, a/b",
    "onceward.topic-routes, 'store=a/b'",
    "onceward.worker.lease, 0s",
    "onceward.worker.lease-renewal, 16s",
    "onceward.worker.retry-cap, 1ms",
    "onceward.worker.platform-timeout, 60s",
    "onceward.worker.concurrency, 0",
    "onceward.worker.order, random",
    "onceward.worker.platform-url, ftp://platform",
    "onceward.worker.leese, 30s",
    "onceward.worker.material-hosts-allowed, 'files.example'",
    "onceward.worker.material-hosts-allowed, 'files.example:80,'",
    "onceward.worker.material-hosts-allowed, 'http://files.example:80'",
    "onceward.worker.material-timeout, 1ms",
    "onceward.worker.max-media-bytes, 10",
    "onceward.credential-keys, k1:c2hvcnQ=",
    "onceward.credential-keys, nonsense",
  })
  void bad_input_is_refused_by_its_key(String key, String value) {
    Map<String, String> settings = least();
    settings.put(key, value);

    assertThat(refusal(settings).problems())
        .hasSize(1)
        .first()
        .satisfies(problem -> assertThat(problem.key()).isEqualTo(key));
  }

  @Test
  void a_malformed_key_is_not_repeated() {
    Map<String, String> settings = least();
    settings.put("onceward.credential-keys", "k1:" + KEY + ",k1:" + KEY + ",k3:hunter2!");

    assertThat(refusal(settings)).hasMessageNotContaining(KEY).hasMessageNotContaining("hunter2");
  }

  private static ConfigurationException refusal(Map<String, String> settings) {
    return catchThrowableOfType(
        ConfigurationException.class, () -> WorkerConfig.from(Settings.of(settings)));
  }
}
