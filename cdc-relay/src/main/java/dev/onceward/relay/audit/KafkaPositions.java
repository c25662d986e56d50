package dev.onceward.relay.audit;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Offsets by partition, together with what they are offsets of: a topic that was made anew under
 * its old name has another id, and its offsets begin anew. Not thread-safe.
 */
public final class KafkaPositions {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final String clusterId;
  private final Map<String, String> topicIds;
  private final Map<TopicPartition, Long> offsets;

  KafkaPositions(
      String clusterId, Map<String, String> topicIds, Map<TopicPartition, Long> offsets) {
    this.clusterId = clusterId;
    this.topicIds = new HashMap<>(topicIds);
    this.offsets = new HashMap<>(offsets);
  }

  /**
   * Reads the stored form.
   *
   * @throws IllegalArgumentException if it is none
   */
  static KafkaPositions parse(String json) {
    Map<String, String> topicIds = new HashMap<>();
    Map<TopicPartition, Long> offsets = new HashMap<>();
    try {
      JsonNode root = JSON.readTree(json);
      for (Map.Entry<String, JsonNode> topic : root.required("topics").properties()) {
        topicIds.put(topic.getKey(), topic.getValue().required("id").textValue());
        for (Map.Entry<String, JsonNode> partition :
            topic.getValue().required("offsets").properties()) {
          offsets.put(
              new TopicPartition(topic.getKey(), Integer.parseInt(partition.getKey())),
              partition.getValue().longValue());
        }
      }
      return new KafkaPositions(root.required("cluster").textValue(), topicIds, offsets);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("the Kafka positions are no JSON", e);
    }
  }

  /** The stored form. */
  String toJson() {
    ObjectNode root = JSON.createObjectNode().put("cluster", clusterId);
    ObjectNode topics = root.putObject("topics");
    for (Map.Entry<String, String> topic : new TreeMap<>(topicIds).entrySet()) {
      topics.putObject(topic.getKey()).put("id", topic.getValue()).putObject("offsets");
    }
    offsets.forEach(
        (partition, offset) -> {
          JsonNode topic = topics.get(partition.topic());
          if (topic != null) {
            ((ObjectNode) topic.required("offsets"))
                .put(Integer.toString(partition.partition()), offset);
          }
        });
    return root.toString();
  }

  String clusterId() {
    return clusterId;
  }

  @Nullable String topicId(String topic) {
    return topicIds.get(topic);
  }

  @Nullable Long offset(TopicPartition partition) {
    return offsets.get(partition);
  }

  /** The offset of a partition; zero if there is none. */
  long offsetOf(TopicPartition partition) {
    return offsets.getOrDefault(partition, 0L);
  }

  /** Topics that have offsets and no id. */
  Set<String> unknownTopics() {
    Set<String> unknown = new HashSet<>();
    offsets.keySet().forEach(partition -> unknown.add(partition.topic()));
    unknown.removeAll(topicIds.keySet());
    return unknown;
  }

  void learn(Map<String, String> ids) {
    topicIds.putAll(ids);
  }

  void raise(TopicPartition partition, long offset) {
    offsets.merge(partition, offset, Math::max);
  }

  void lower(TopicPartition partition, long offset) {
    offsets.merge(partition, offset, Math::min);
  }

  KafkaPositions copy() {
    return new KafkaPositions(clusterId, topicIds, offsets);
  }
}
