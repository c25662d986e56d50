package dev.onceward.ops.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.embedded.FreePorts;
import dev.onceward.embedded.junit.InfrastructureExtension;
import dev.onceward.embedded.junit.TestTopics;
import dev.onceward.process.ConfigurationException;
import dev.onceward.process.ExitCode;
import dev.onceward.process.Settings;
import dev.onceward.process.StartupException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(InfrastructureExtension.class)
final class KafkaAccessTest {

  @Test
  void topics_are_asked_for_and_read_without_a_group(TestTopics topics) {
    String topic = topics.create("asked", 2);
    KafkaAccess access = access(topics.bootstrapServers());
    try (Admin admin = access.admin();
        Consumer<byte[], byte[]> consumer = access.consumer()) {
      assertThat(KafkaAccess.await(admin.describeTopics(List.of(topic)).allTopicNames()).values())
          .flatExtracting(TopicDescription::partitions)
          .hasSize(2);
      assertThatThrownBy(
              () ->
                  KafkaAccess.await(
                      admin.describeTopics(List.of(topics.name("none"))).allTopicNames()))
          .isInstanceOf(UnknownTopicOrPartitionException.class);
      TopicPartition first = new TopicPartition(topic, 0);
      assertThat(consumer.endOffsets(List.of(first))).containsEntry(first, 0L);
    }
  }

  @Test
  void a_broker_that_is_away_or_has_no_address_is_exit_code_4_within_seconds() {
    long before = System.nanoTime();
    try (Admin admin = access("127.0.0.1:" + FreePorts.next()).admin()) {
      assertAway(() -> KafkaAccess.await(admin.describeCluster().nodes()));
    }
    assertThat(Duration.ofNanos(System.nanoTime() - before)).isLessThan(Duration.ofSeconds(15));
    assertAway(() -> access("no-such-host.invalid:9092").admin());
    assertAway(() -> access("no-such-host.invalid:9092").consumer());
  }

  @Test
  void what_the_client_does_not_understand_is_a_matter_of_settings() {
    for (Map<String, String> wrong :
        List.of(
            Map.<String, String>of(),
            Map.of("onceward.kafka.bootstrap.servers", "no port"),
            Map.of("onceward.kafka.bootstrap.servers", "h:1", "onceward.kafka.retries", "many"))) {
      assertThatThrownBy(() -> KafkaAccess.from(Settings.of(wrong)))
          .isInstanceOf(ConfigurationException.class)
          .hasMessageContaining("onceward.kafka.");
    }
  }

  @Test
  void a_broker_that_is_away_is_found_below_what_the_client_wraps_it_in() {
    assertThat(
            KafkaFailures.classify(
                new ExecutionException(
                    new KafkaException("no brokers for ListGroups", new TimeoutException("30 s")))))
        .isNotNull()
        .extracting(StartupException::exitCode)
        .isEqualTo(ExitCode.UNAVAILABLE);
  }

  @Test
  void a_refusal_names_what_is_missing() {
    StartupException refused =
        KafkaFailures.classify(new TopicAuthorizationException("not allowed: [orders]"));
    assertThat(refused).isNotNull().hasMessageContaining("[orders]");
    assertThat(KafkaFailures.classify(new IllegalStateException("ours"))).isNull();
  }

  private static void assertAway(Runnable asking) {
    assertThatThrownBy(asking::run)
        .isInstanceOfSatisfying(
            StartupException.class, e -> assertThat(e.exitCode()).isEqualTo(ExitCode.UNAVAILABLE))
        .hasMessageContaining("Kafka does not answer");
  }

  private static KafkaAccess access(String bootstrapServers) {
    return KafkaAccess.from(
        Settings.of(Map.of("onceward.kafka.bootstrap.servers", bootstrapServers)));
  }
}
