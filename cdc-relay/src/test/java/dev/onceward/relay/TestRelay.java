package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.onceward.db.test.MigratedDatabase;
import dev.onceward.process.Health;
import dev.onceward.process.HealthChecks;
import dev.onceward.process.HealthReport;
import dev.onceward.process.Settings;
import dev.onceward.relay.capture.CaptureSettings;
import dev.onceward.relay.capture.ChangeSource;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/** A relay in this JVM. */
final class TestRelay implements AutoCloseable {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final HealthChecks checks = new HealthChecks();
  private final AtomicReference<RuntimeException> fatal = new AtomicReference<>();
  private final Relay relay;

  private TestRelay(RelayConfig config, Function<CaptureSettings, ChangeSource> sources) {
    relay = Relay.start(config, registry, checks, Duration.ofSeconds(5), fatal::set, sources);
  }

  static TestRelay start(Map<String, String> settings) {
    RelayConfig config = RelayConfig.from(Settings.of(settings));
    return new TestRelay(config, config.capture()::source);
  }

  static TestRelay start(
      Map<String, String> settings, Function<CaptureSettings, ChangeSource> sources) {
    return new TestRelay(RelayConfig.from(Settings.of(settings)), sources);
  }

  /** One with a smaller memory than can be configured. */
  static TestRelay startRemembering(
      int events, Map<String, String> settings, Function<CaptureSettings, ChangeSource> sources) {
    RelayConfig config = RelayConfig.from(Settings.of(settings));
    return new TestRelay(
        new RelayConfig(
            config.jdbcUrl(),
            config.user(),
            config.password(),
            config.kafka(),
            config.topicNames(),
            config.partitioner(),
            config.topicCreation(),
            config.slotName(),
            config.healthHost(),
            config.healthPort(),
            config.capture(),
            config.tracingEndpoint(),
            config.pollInterval(),
            config.batchEvents(),
            config.parking(),
            config.care(),
            events),
        sources);
  }

  /**
   * What every relay of a test needs. The slot is named after the database: both are its own. The
   * whole suite runs with the second source under {@code -Donceward.test.capture=direct}.
   */
  static Map<String, String> settings(
      MigratedDatabase database, String bootstrapServers, String prefix) {
    Map<String, String> settings = new HashMap<>();
    settings.put("onceward.database.url", database.url());
    settings.put("onceward.database.password", MigratedDatabase.PASSWORD);
    settings.put("onceward.kafka.bootstrap.servers", bootstrapServers);
    settings.put("onceward.topic-prefix", prefix);
    settings.put("onceward.relay.slot-name", slotName(database));
    settings.put("onceward.relay.capture", System.getProperty("onceward.test.capture", "debezium"));
    return settings;
  }

  static String slotName(MigratedDatabase database) {
    return "slot_" + database.name();
  }

  HealthReport health() {
    return checks.report();
  }

  TestRelay awaitUp() {
    await()
        .atMost(Duration.ofSeconds(40))
        .untilAsserted(
            () -> {
              assertThat(fatal.get()).isNull();
              assertThat(health().reasons()).isEmpty();
              assertThat(health().status()).isEqualTo(Health.Status.UP);
            });
    return this;
  }

  /** The promised bound of ten seconds, and two for the test's own looking. */
  void awaitDown(String reason) {
    await()
        .atMost(Duration.ofSeconds(12))
        .untilAsserted(
            () -> {
              assertThat(health().status()).isEqualTo(Health.Status.DOWN);
              assertThat(String.join("\n", health().reasons())).contains(reason);
            });
  }

  RuntimeException awaitFatal() {
    return await().atMost(Duration.ofSeconds(20)).until(fatal::get, failure -> failure != null);
  }

  double counter(String name) {
    return registry.get(name).functionCounter().count();
  }

  double count(String name) {
    return registry.get(name).counter().count();
  }

  double gauge(String name) {
    return registry.get(name).gauge().value();
  }

  @Override
  public void close() {
    relay.close();
    registry.close();
  }
}
