package dev.onceward.worker.consume;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The settings of a client in a share group. Stateless. */
final class ShareProperties {

  private static final String METADATA_MAX_AGE_MILLIS = "10000";

  /** What the client of a share group refuses; the group's own settings are the broker's. */
  private static final List<String> UNKNOWN_TO_SHARE_GROUPS =
      List.of(
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG,
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG,
          ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
          ConsumerConfig.ISOLATION_LEVEL_CONFIG,
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
          ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG,
          ConsumerConfig.SESSION_TIMEOUT_MS_CONFIG,
          ConsumerConfig.HEARTBEAT_INTERVAL_MS_CONFIG,
          ConsumerConfig.GROUP_PROTOCOL_CONFIG,
          ConsumerConfig.GROUP_REMOTE_ASSIGNOR_CONFIG);

  private ShareProperties() {}

  static Map<String, Object> of(ConsumerOptions options) {
    Map<String, Object> properties = new HashMap<>();
    properties.put(ConsumerConfig.METADATA_MAX_AGE_CONFIG, METADATA_MAX_AGE_MILLIS);
    properties.putAll(options.clientProperties());
    UNKNOWN_TO_SHARE_GROUPS.forEach(properties::remove);
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, options.groupId());
    properties.put(ConsumerConfig.SHARE_ACKNOWLEDGEMENT_MODE_CONFIG, "explicit");
    properties.put(
        ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    properties.put(
        ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());
    return properties;
  }
}
