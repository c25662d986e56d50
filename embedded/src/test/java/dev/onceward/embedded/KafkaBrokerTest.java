package dev.onceward.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KafkaBrokerTest {
  private static final TopicPartition PARTITION = new TopicPartition("kept", 0);

  @TempDir Path directory;

  @Test
  void a_kill_keeps_acknowledged_records_and_the_port() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start(KafkaOptions.temporary());
        KafkaProducer<String, String> producer = producer(broker)) {
      String address = broker.bootstrapServers();
      createTopic(broker);
      List<String> acknowledged = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        producer.send(new ProducerRecord<>(PARTITION.topic(), "record " + i)).get(30, SECONDS);
        acknowledged.add("record " + i);
      }
      broker.kill();
      assertThat(broker.isRunning()).isFalse();
      broker.start();
      assertThat(broker.bootstrapServers()).isEqualTo(address);
      assertThat(read(broker)).isEqualTo(acknowledged);
    }
  }

  @Test
  void a_suspended_broker_answers_nothing_until_it_is_resumed() throws Exception {
    try (KafkaBroker broker = KafkaBroker.start(KafkaOptions.temporary());
        KafkaProducer<String, String> producer = producer(broker)) {
      createTopic(broker);
      producer.send(new ProducerRecord<>(PARTITION.topic(), "before")).get(30, SECONDS);
      broker.suspend();
      Future<RecordMetadata> pending =
          producer.send(new ProducerRecord<>(PARTITION.topic(), "during"));
      assertThatThrownBy(() -> pending.get(2, SECONDS)).isInstanceOf(TimeoutException.class);
      assertThat(broker.isRunning()).isTrue();
      broker.resume();
      assertThat(pending.get(30, SECONDS).offset()).isEqualTo(1);
    }
  }

  @Test
  void a_kept_directory_keeps_records_and_is_refused_while_in_use() throws Exception {
    KafkaOptions kept = KafkaOptions.keptIn(directory);
    try (KafkaBroker first = KafkaBroker.start(kept);
        KafkaProducer<String, String> producer = producer(first)) {
      createTopic(first);
      producer.send(new ProducerRecord<>(PARTITION.topic(), "kept")).get(30, SECONDS);
      assertThatThrownBy(() -> KafkaBroker.start(kept))
          .isInstanceOf(InfrastructureException.class)
          .hasMessageContaining(directory.toString())
          .hasMessageContaining("name another directory");
      first.stop();
      assertThat(first.isRunning()).isFalse();
    }
    try (KafkaBroker second = KafkaBroker.start(kept)) {
      assertThat(read(second)).containsExactly("kept");
    }
  }

  @Test
  void topics_are_not_made_by_themselves() throws Exception {
    try (KafkaProducer<String, String> producer = producer(SharedServers.kafka())) {
      assertThatThrownBy(
              () -> producer.send(new ProducerRecord<>("never-made", "x")).get(30, SECONDS))
          .hasMessageContaining("never-made");
    }
  }

  @Test
  void a_refused_setting_is_told_with_the_words_of_the_broker() {
    KafkaOptions wrong = KafkaOptions.temporary().withSetting("num.io.threads", "many");
    assertThatThrownBy(() -> KafkaBroker.start(wrong))
        .isInstanceOf(InfrastructureException.class)
        .hasMessageContaining("num.io.threads");
  }

  private static void createTopic(KafkaBroker broker) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", broker.bootstrapServers()))) {
      admin
          .createTopics(List.of(new NewTopic(PARTITION.topic(), 1, (short) 1)))
          .all()
          .get(30, SECONDS);
    }
  }

  private static KafkaProducer<String, String> producer(KafkaBroker broker) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", broker.bootstrapServers(), "max.block.ms", "5000"),
        new StringSerializer(),
        new StringSerializer());
  }

  private static List<String> read(KafkaBroker broker) {
    try (KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(
            Map.of("bootstrap.servers", broker.bootstrapServers()),
            new StringDeserializer(),
            new StringDeserializer())) {
      consumer.assign(List.of(PARTITION));
      consumer.seekToBeginning(List.of(PARTITION));
      long end = consumer.endOffsets(List.of(PARTITION)).getOrDefault(PARTITION, 0L);
      List<String> values = new ArrayList<>();
      while (consumer.position(PARTITION) < end) {
        consumer.poll(Duration.ofSeconds(1)).forEach(record -> values.add(record.value()));
      }
      return values;
    }
  }
}
