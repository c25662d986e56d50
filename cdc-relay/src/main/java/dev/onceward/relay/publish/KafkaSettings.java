package dev.onceward.relay.publish;

import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.kafka.clients.CommonClientConfigs;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;

/**
 * What the user says about Kafka, and what of it the relay's promises leave open. Immutable.
 *
 * @param clientSettings Kafka's own client settings, by Kafka's names
 */
public record KafkaSettings(Map<String, String> clientSettings) {
  /** Settings that carry a promise, and the only value each may have; null: none at all. */
  private static final Map<String, String> FIXED =
      Map.of(
          ProducerConfig.ACKS_CONFIG, "all",
          ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true",
          ProducerConfig.RETRIES_CONFIG, Integer.toString(Integer.MAX_VALUE),
          ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.toString(Integer.MAX_VALUE),
          ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName(),
          ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());

  private static final int MOST_IN_FLIGHT = 5;

  public KafkaSettings {
    clientSettings = Map.copyOf(clientSettings);
  }

  @Override
  public String toString() {
    // The values may hold passwords.
    return "KafkaSettings" + clientSettings.keySet();
  }

  /**
   * What cannot be as the user wants it.
   *
   * @return Kafka's name of a setting → why; empty if all is well
   */
  public Map<String, String> conflicts() {
    Map<String, String> conflicts = new TreeMap<>();
    clientSettings.forEach(
        (name, value) -> {
          String fixed = FIXED.get(name);
          if (fixed != null
              && !fixed.equals(value)
              && !(fixed.equals("all") && value.equals("-1"))) {
            conflicts.put(name, "must be " + fixed + ", or an acknowledged event could be lost");
          }
        });
    if (clientSettings.containsKey(ProducerConfig.TRANSACTIONAL_ID_CONFIG)) {
      conflicts.put(
          ProducerConfig.TRANSACTIONAL_ID_CONFIG,
          "is not supported: the relay writes no transactions");
    }
    String inFlight = clientSettings.get(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION);
    if (inFlight != null && !inFlight.matches("[1-" + MOST_IN_FLIGHT + "]")) {
      conflicts.put(
          ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION,
          "must be 1 to " + MOST_IN_FLIGHT + ", or events could overtake each other");
    }
    return conflicts;
  }

  /** What Kafka's client does not understand, in its words; empty if it takes everything. */
  public Optional<String> invalid() {
    if (!clientSettings.containsKey(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
      return Optional.of("bootstrap.servers is required but not set");
    }
    try {
      for (String address :
          new ProducerConfig(producer()).getList(CommonClientConfigs.BOOTSTRAP_SERVERS_CONFIG)) {
        // Whether the name can be resolved is a matter of time, not of configuration.
        if (Utils.getHost(address) == null || Utils.getPort(address) == null) {
          return Optional.of("bootstrap.servers holds \"" + address + "\", which is no HOST:PORT");
        }
      }
      return Optional.empty();
    } catch (ConfigException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** The producer's configuration. */
  public Properties producer() {
    Properties producer = new Properties();
    producer.setProperty(ProducerConfig.CLIENT_ID_CONFIG, "onceward-relay");
    // How long send() may hold the stream's thread before we look around again.
    producer.setProperty(ProducerConfig.MAX_BLOCK_MS_CONFIG, "5000");
    producer.setProperty(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, "10000");
    producer.setProperty(ProducerConfig.BATCH_SIZE_CONFIG, "131072");
    producer.setProperty(ProducerConfig.BUFFER_MEMORY_CONFIG, "67108864");
    producer.setProperty(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "1000");
    producer.putAll(clientSettings);
    producer.putAll(FIXED);
    return producer;
  }

  /** The admin client's configuration: answers within a few seconds or fails. */
  public Properties admin() {
    Properties admin = new Properties();
    admin.setProperty(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, "1000");
    admin.putAll(clientSettings);
    admin.setProperty(CommonClientConfigs.CLIENT_ID_CONFIG, "onceward-relay-admin");
    admin.setProperty(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, "4000");
    admin.setProperty(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "4000");
    return admin;
  }

  /** The configuration of a consumer that reads back, without a group. */
  public Properties consumer() {
    Properties consumer = new Properties();
    consumer.setProperty(CommonClientConfigs.RECONNECT_BACKOFF_MAX_MS_CONFIG, "1000");
    consumer.setProperty(ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "5000");
    consumer.putAll(clientSettings);
    consumer.setProperty(CommonClientConfigs.CLIENT_ID_CONFIG, "onceward-relay-tail");
    consumer.setProperty(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "earliest");
    consumer.setProperty(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, "false");
    consumer.setProperty(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, "10000");
    return consumer;
  }
}
