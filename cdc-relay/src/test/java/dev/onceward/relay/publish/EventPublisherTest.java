package dev.onceward.relay.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.embedded.KafkaBroker;
import dev.onceward.embedded.KafkaOptions;
import dev.onceward.event.route.EventRecord;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

class EventPublisherTest {
  private static KafkaBroker kafka;

  private final PublishStatus status = new PublishStatus();
  private final String topic = "t" + UUID.randomUUID();

  @BeforeAll
  static void startBroker() {
    kafka = KafkaBroker.start(KafkaOptions.temporary());
  }

  @AfterAll
  static void stopBroker() {
    kafka.close();
  }

  @Test
  void a_topic_that_is_silent_while_the_cluster_answers_is_given_up_and_named() throws Exception {
    TopicCatalog topics = catalog();
    try (EventPublisher publisher = publisher(topics, Duration.ofSeconds(2))) {
      topics.look(topic);
      assertThat(publisher.attempt(records(3)).acknowledged()).hasSize(3);
      List<EventRecord> unanswered = records(2);
      kafka.suspend();
      Attempt silent;
      ScheduledExecutorService others = Executors.newSingleThreadScheduledExecutor();
      try {
        // As if another broker of the cluster answered.
        var unused =
            others.scheduleAtFixedRate(
                () -> status.clusterSeen(true, System.nanoTime()), 0, 200, TimeUnit.MILLISECONDS);
        silent = publisher.attempt(unanswered);
      } finally {
        others.shutdownNow();
      }

      assertThat(silent.silentTopics()).containsExactly(topic);
      assertThat(silent.unacknowledged()).isEqualTo(unanswered);
      assertThat(silent.acknowledged()).isEmpty();
      kafka.resume();
      Attempt again = publisher.attempt(records(2));
      assertThat(again.acknowledged()).hasSize(2);
      assertThat(again.silentTopics()).isEmpty();
    } finally {
      kafka.resume();
      topics.close();
    }
  }

  @Test
  void a_cluster_that_has_just_died_does_not_count_as_answering() {
    Duration patience = Duration.ofSeconds(2);
    long died = System.nanoTime();
    status.clusterSeen(true, died - Duration.ofMinutes(1).toNanos());
    status.clusterSeen(true, died - 1);
    assertThat(status.isSilent(died, patience)).isFalse();
    status.clusterSeen(true, died + Duration.ofSeconds(1).toNanos());
    assertThat(status.isSilent(died, patience)).isFalse();
    status.clusterSeen(true, died + patience.toNanos());
    assertThat(status.isSilent(died, patience)).isTrue();
    status.clusterSeen(false, died + Duration.ofSeconds(3).toNanos());
    status.clusterSeen(true, died + Duration.ofSeconds(4).toNanos());
    assertThat(status.isSilent(died, patience)).isFalse();
  }

  @Test
  void what_is_read_back_is_what_kafka_holds_at_the_offsets_it_has_there() throws Exception {
    TopicCatalog topics = catalog();
    try (EventPublisher publisher = publisher(topics, Duration.ofMinutes(1))) {
      topics.look(topic);
      Instant begunAt = Instant.now();
      List<EventRecord> sent = records(5);
      Attempt attempt = publisher.attempt(sent);
      List<EventRecord> asked = new ArrayList<>(sent.subList(1, 5));
      asked.addAll(records(3));

      List<Acknowledged> found = new ReadBack(settings().consumer()).find(asked, begunAt);

      assertThat(found).isEqualTo(attempt.acknowledged().subList(1, 5));
      assertThat(found.get(3).offset()).isEqualTo(4);
    } finally {
      topics.close();
    }
  }

  private EventPublisher publisher(TopicCatalog topics, Duration patience) {
    return new EventPublisher(settings(), topics, status, patience);
  }

  private TopicCatalog catalog() {
    return new TopicCatalog(
        settings(), new TopicCatalog.Creation(true, 1, (short) 1), (name, present) -> present);
  }

  private static KafkaSettings settings() {
    return new KafkaSettings(Map.of("bootstrap.servers", kafka.bootstrapServers()));
  }

  private List<EventRecord> records(int count) {
    List<EventRecord> records = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      UUID id = UUID.randomUUID();
      byte[] key = id.toString().getBytes(StandardCharsets.US_ASCII);
      records.add(new EventRecord(id, topic, 0, key, key, List.of()));
    }
    return records;
  }
}
