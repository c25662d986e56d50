package dev.onceward.ops.replay;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * Where the partitions that a replay writes to ended when its progress was last recorded: behind
 * them stand only records that the progress does not count. Immutable.
 *
 * @param topics name → position
 */
record KafkaPositions(Map<String, Topic> topics) {

  /**
   * One topic.
   *
   * @param id Kafka's own id of it, which another topic of the same name does not have
   * @param offsets per partition, in their order
   */
  record Topic(String id, List<Long> offsets) {
    Topic {
      offsets = List.copyOf(offsets);
    }
  }

  KafkaPositions {
    topics = Map.copyOf(topics);
  }

  /**
   * The same, moved forward to what was acknowledged since.
   *
   * @param ends partition → offset behind the last acknowledged record
   */
  KafkaPositions advanced(Map<TopicPartition, Long> ends) {
    Map<String, Topic> moved = new TreeMap<>(topics);
    ends.forEach(
        (partition, end) ->
            moved.computeIfPresent(
                partition.topic(), (name, topic) -> advanced(topic, partition.partition(), end)));
    return new KafkaPositions(moved);
  }

  private static Topic advanced(Topic topic, int partition, long end) {
    List<Long> offsets = new ArrayList<>(topic.offsets());
    offsets.set(partition, Math.max(offsets.get(partition), end));
    return new Topic(topic.id(), offsets);
  }
}
