package dev.onceward.worker.consume;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.CooperativeStickyAssignor;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** The Kafka client's settings: what may be passed through, and what may not. Stateless. */
public final class ConsumerProperties {

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

  /**
   * What the guarantees rest on: only what is finished is committed, where to begin without a valid
   * topic offset is decided by {@link StartOffsets}, and a rebalance moves only what has to move.
   */
  private static final Map<String, String> FIXED =
      Map.of(
          ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, "false",
          ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none",
          ConsumerConfig.PARTITION_ASSIGNMENT_STRATEGY_CONFIG,
              CooperativeStickyAssignor.class.getName(),
          ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName(),
          ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class.getName());

  private ConsumerProperties() {}

  /**
   * The properties among those given that would break a guarantee.
   *
   * @param clientProperties Kafka's names and values
   */
  public static Set<String> forbidden(Map<String, String> clientProperties) {
    Set<String> forbidden = new TreeSet<>();
    clientProperties.forEach(
        (name, value) -> {
          String fixed = FIXED.get(name);
          if (fixed != null && !fixed.equals(value) && !isOurOwnReset(name, value)) {
            forbidden.add(name);
          }
        });
    return forbidden;
  }

  /** The earliest record is where we begin; asking for just that breaks nothing. */
  private static boolean isOurOwnReset(String name, String value) {
    return name.equals(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG) && value.equals("earliest");
  }

  static Map<String, Object> of(ConsumerOptions options) {
    Map<String, Object> properties = new HashMap<>(DEFAULTS);
    properties.putAll(options.clientProperties());
    properties.put(ConsumerConfig.GROUP_ID_CONFIG, options.groupId());
    properties.putAll(FIXED);
    return properties;
  }
}
