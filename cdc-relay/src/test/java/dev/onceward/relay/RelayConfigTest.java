package dev.onceward.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.onceward.event.route.Partitioner;
import dev.onceward.process.ConfigurationException;
import dev.onceward.process.Settings;
import dev.onceward.relay.capture.CaptureKind;
import dev.onceward.relay.publish.TopicCatalog;
import dev.onceward.relay.slot.CareSettings;
import dev.onceward.relay.slot.SlotLoss;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RelayConfigTest {
  private final Map<String, String> settings =
      new HashMap<>(
          Map.of(
              "onceward.database.url", "jdbc:postgresql://db:5432/onceward?sslpassword=marker",
              "onceward.database.password", "marker",
              "onceward.kafka.bootstrap.servers", "kafka:9092",
              "onceward.kafka.sasl.jaas.config", "marker"));

  @Test
  void the_defaults_are_these() {
    RelayConfig config = RelayConfig.from(Settings.of(settings));

    assertThat(config.user()).isEqualTo("onceward_relay");
    assertThat(config.slotName()).isEqualTo("onceward");
    assertThat(config.topicNames().topicOf("order.placed", "order")).isEqualTo("onceward.order");
    assertThat(config.partitioner()).isEqualTo(Partitioner.AGGREGATE);
    assertThat(config.topicCreation()).isEqualTo(new TopicCatalog.Creation(true, 6, (short) 1));
    assertThat(config.healthPort()).isEqualTo(8081);
    assertThat(config.capture()).isEqualTo(CaptureKind.DEBEZIUM);
    assertThat(config.pollInterval()).isEqualTo(Duration.ofMillis(10));
    assertThat(config.batchEvents()).isEqualTo(2048);
    assertThat(config.auditRememberedEvents()).isEqualTo(1_000_000);
  }

  @Test
  void its_text_form_shows_no_secret() {
    RelayConfig config = RelayConfig.from(Settings.of(settings));

    assertThat(config.toString()).doesNotContain("marker");
    assertThat(config.kafka().toString()).doesNotContain("marker");
  }

  @Test
  void what_kafka_is_told_passes_through_and_what_carries_a_promise_is_fixed() {
    settings.put("onceward.kafka.compression.type", "lz4");
    settings.put("onceward.kafka.acks", "-1");
    settings.put("onceward.kafka.max.in.flight.requests.per.connection", "1");

    assertThat(RelayConfig.from(Settings.of(settings)).kafka().producer())
        .containsEntry("compression.type", "lz4")
        .containsEntry("max.in.flight.requests.per.connection", "1")
        .containsEntry("acks", "all")
        .containsEntry("enable.idempotence", "true")
        .containsEntry("delivery.timeout.ms", "2147483647");
  }

  @Test
  void everything_that_is_wrong_is_named_at_once() {
    settings.put("onceward.database.url", "jdbc:mysql://db/x?password=marker");
    settings.put("onceward.kafka.acks", "1");
    settings.put("onceward.relay.slot-name", "Not-A-Slot");
    settings.put("onceward.topic-prefix", "a b");
    settings.put("onceward.topic-routes", "order");
    settings.put("onceward.relay.topic-partitons", "3");
    settings.remove("onceward.kafka.bootstrap.servers");

    assertThat(problems(settings))
        .contains("onceward.database.url is \"jdbc:mysql://db/x\"")
        .contains("onceward.kafka.acks must be all")
        .contains("onceward.relay.slot-name is \"Not-A-Slot\"")
        .contains("onceward.topic-prefix is \"a b\"")
        .contains("onceward.topic-routes is \"order\"")
        .contains("onceward.relay.topic-partitions")
        .contains("bootstrap.servers is required")
        .doesNotContain("marker");
  }

  @ParameterizedTest
  @CsvSource({
    "enable.idempotence, false",
    "retries, 3",
    "delivery.timeout.ms, 120000",
    "key.serializer, x.Y",
    "value.serializer, x.Y",
    "transactional.id, t",
    "max.in.flight.requests.per.connection, 6",
    "acks, 0"
  })
  void a_setting_that_would_break_a_promise_is_refused(String name, String value) {
    settings.put("onceward.kafka." + name, value);

    assertThat(problems(settings)).contains("onceward.kafka." + name + " ");
  }

  @ParameterizedTest
  @CsvSource({"linger.ms, soon", "bootstrap.servers, kafka", "compression.type, zip"})
  void a_setting_that_kafka_does_not_understand_is_refused(String name, String value) {
    settings.put("onceward.kafka." + name, value);

    assertThat(problems(settings)).contains("onceward.kafka.*").contains(value);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "jdbc:postgresql:onceward",
        "jdbc:postgresql://a:1,b:2/onceward",
        "jdbc:postgresql://db",
        "jdbc:postgresql://user:marker@db/onceward",
        "postgresql://db/onceward",
        "jdbc:postgresql://d b/onceward"
      })
  void a_url_that_names_no_single_database_is_refused(String url) {
    settings.put("onceward.database.url", url);

    assertThat(problems(settings)).contains("onceward.database.url is ");
  }

  @Test
  void the_log_can_be_read_without_the_engine() {
    settings.put("onceward.relay.capture", "direct");
    assertThat(RelayConfig.from(Settings.of(settings)).capture()).isEqualTo(CaptureKind.DIRECT);

    settings.put("onceward.relay.capture", "polling");
    assertThat(problems(settings)).contains("onceward.relay.capture").contains("polling");
  }

  @Test
  void events_are_kept_for_a_week_and_a_lost_slot_is_repaired_unless_told_otherwise() {
    assertThat(RelayConfig.from(Settings.of(settings)).care())
        .isEqualTo(new CareSettings(Duration.ofDays(7), SlotLoss.REPAIR));

    settings.put("onceward.relay.retention", "1d");
    settings.put("onceward.relay.slot-loss", "stop");
    assertThat(RelayConfig.from(Settings.of(settings)).care())
        .isEqualTo(new CareSettings(Duration.ofDays(1), SlotLoss.STOP));
  }

  @ParameterizedTest
  @CsvSource({"retention, 23h", "retention, soon", "slot-loss, ignore"})
  void a_retention_or_an_answer_to_slot_loss_that_makes_no_sense_is_refused(
      String name, String value) {
    settings.put("onceward.relay." + name, value);

    assertThat(problems(settings)).contains("onceward.relay." + name).contains(value);
  }

  @Test
  void a_memory_too_small_for_an_audit_is_refused() {
    settings.put("onceward.relay.audit-remembered-events", "9999");

    assertThat(problems(settings)).contains("onceward.relay.audit-remembered-events");
  }

  private static String problems(Map<String, String> settings) {
    ConfigurationException refused =
        catchThrowableOfType(
            ConfigurationException.class, () -> RelayConfig.from(Settings.of(settings)));
    assertThat(refused).isNotNull();
    return String.valueOf(refused.getMessage());
  }
}
