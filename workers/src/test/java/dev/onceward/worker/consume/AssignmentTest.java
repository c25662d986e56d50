package dev.onceward.worker.consume;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an assignment knows by itself; the client has no broker and is not asked. */
class AssignmentTest {

  private static final TopicPartition PARTITION = new TopicPartition("topic", 0);

  private final KafkaConsumer<byte[], byte[]> client =
      new KafkaConsumer<>(
          Map.of("bootstrap.servers", "127.0.0.1:9"),
          new ByteArrayDeserializer(),
          new ByteArrayDeserializer());
  private final Assignment assignment = new Assignment(client, Duration.ZERO);

  @AfterEach
  void close() {
    client.close();
  }

  @Test
  void topic_offsets_that_go_back_begin_the_partition_anew() {
    assignment.onPartitionsAssigned(List.of(PARTITION));
    PartitionProgress before = assignment.progress(PARTITION, 100);
    assertThat(before).isNotNull();
    PartitionProgress.Entry entry = before.arrived(100, 0);
    assertThat(assignment.progress(PARTITION, 101)).isSameAs(before);

    PartitionProgress after = assignment.progress(PARTITION, 3);
    assertThat(after).isNotNull().isNotSameAs(before);
    after.finished(after.arrived(3, 0));
    before.finished(entry);
    assertThat(before.begin()).as("what waits of the old is forgotten").isFalse();
    assertThat(after.toCommit()).as("and its topic offset is not committed").hasValue(4);
  }

  @Test
  void records_of_partitions_that_are_not_held_belong_nowhere() {
    assertThat(assignment.progress(PARTITION, 0)).isNull();
    assignment.onPartitionsAssigned(List.of(PARTITION));
    assignment.onPartitionsLost(List.of(PARTITION));
    assertThat(assignment.progress(PARTITION, 0)).isNull();
    assertThat(assignment.held()).isEmpty();
  }
}
