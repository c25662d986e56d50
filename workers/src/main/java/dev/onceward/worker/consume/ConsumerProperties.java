package dev.onceward.worker.consume;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The Kafka client's settings: what may be passed through, and what may not. */
final class ConsumerProperties {

  /** A crashed member's partitions are free after this; the broker's own default is 45 s. */
  private static final String SESSION_TIMEOUT_MILLIS = "10000";

  private static final String HEARTBEAT_INTERVAL_MILLIS = "3000";

  /** How soon a new partition, or a topic made late, is noticed. */
  private static final String METADATA_MAX_AGE_MILLIS = "10000";

  private static final Map<String, Object> DEFAULTS =
      Map.of(
          ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG, SESSION_TIMEOUT_MILLIS,
          ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG, HEARTBEAT_INTERVAL_MILLIS,
          ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MAX_AGE_MILLIS);

  /** The settings that the guarantees rest on. */
  static final Set<String> OURS =
      Set.of(
          ConsumerConfig.GROUP_ID_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);

  private ConsumerProperties() {}

  static Map<String, Object> of(ConsumerOptions options) {
    Map<String, Object> properties = new HashMap<>(DEFAULTS);
    properties.putAll(options.clientProperties());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, options.groupId());
    // Committed is only what is finished, and a group that starts anew starts at the beginning.
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false");
    properties.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    properties.put(
        ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
        CooperativeStickyAssignor.class.getName());
    properties.put(
        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    properties.put(
        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    return properties;
  }
}
