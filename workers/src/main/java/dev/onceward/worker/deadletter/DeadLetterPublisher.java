package dev.onceward.worker.deadletter;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.onceward.event.DeadLetterHeaders;
import dev.onceward.event.route.TopicNames;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.RetriableException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sets records aside in {@code <topic>-dead-letter}: key, value and headers as they were, with the
 * reason in further headers. The producer is made at the first need. Thread-safe.
 */
public final class DeadLetterPublisher implements AutoCloseable {

  /** The largest record that can be set aside, in bytes. */
  static final int MAX_RECORD_BYTES = 16 * 1024 * 1024;

  private static final String DELIVERY_TIMEOUT_MILLIS = "30000";
  private static final String REQUEST_TIMEOUT_MILLIS = "10000";
  private static final String MAX_BLOCK_MILLIS = "5000";
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final Map<String, String> clientProperties;
  private final String groupId;
  private final Clock clock;
  private final DeadLetterTopics topics;
  private final Object lock = new Object();
  private @Nullable Producer<byte[], byte[]> producer;
  private volatile @Nullable String blockedBecause;

  /**
   * Makes a publisher; Kafka need not be there yet.
   *
   * @param clientProperties passed through to the Kafka clients
   * @param groupId who sets the records aside
   */
  public DeadLetterPublisher(Map<String, String> clientProperties, String groupId, Clock clock) {
    this.clientProperties = Map.copyOf(clientProperties);
    this.groupId = groupId;
    this.clock = clock;
    Map<String, Object> adminProperties = new HashMap<>(clientProperties);
    adminProperties.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, MAX_BLOCK_MILLIS);
    adminProperties.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, MAX_BLOCK_MILLIS);
    this.topics = new DeadLetterTopics(adminProperties);
  }

  /**
   * Sets a record aside and waits until all replicas in sync have it. Only then may its topic
   * offset be committed.
   *
   * @param message for a person; no payload, no secret
   * @throws DeadLetterException if it is not certain that it was stored; it may be there all the
   *     same
   */
  public void publish(
      ConsumerRecord<byte[], byte[]> record, DeadLetterReason reason, String message)
      throws DeadLetterException, InterruptedException {
    String topic = TopicNames.deadLetterOf(record.topic());
    Producer<byte[], byte[]> used = null;
    try {
      topics.ensure(topic);
      used = producer();
      used.send(setAside(topic, record, reason, message)).get();
      blockedBecause = null;
    } catch (ExecutionException failure) {
      throw refused(topic, used, failure.getCause() == null ? failure : failure.getCause());
    } catch (org.apache.kafka.common.errors.InterruptException stopping) {
      Thread.interrupted(); // Kafka sets the flag again; it is told by the exception
      throw new InterruptedException();
    } catch (KafkaException failure) {
      throw refused(topic, used, failure);
    }
  }

  /** Why the last record could not be set aside; null once one could. */
  public @Nullable String blockedBecause() {
    return blockedBecause;
  }

  private DeadLetterException refused(
      String topic, @Nullable Producer<byte[], byte[]> used, Throwable failure) {
    if (failure instanceof UnknownTopicOrPartitionException
        || failure instanceof org.apache.kafka.common.errors.TimeoutException) {
      topics.forget(topic);
    }
    if (used != null && !(failure instanceof RetriableException)) {
      discard(used); // such an error can leave an idempotent producer unusable
    }
    String why =
        "a record cannot be set aside in %s: %s"
            .formatted(topic, failure.getClass().getSimpleName());
    blockedBecause = why;
    return new DeadLetterException(why, failure);
  }

  private ProducerRecord<byte[], byte[]> setAside(
      String topic,
      ConsumerRecord<byte[], byte[]> record,
      DeadLetterReason reason,
      String message) {
    ProducerRecord<byte[], byte[]> aside =
        new ProducerRecord<>(topic, null, record.key(), record.value(), record.headers());
    add(aside.headers(), DeadLetterHeaders.REASON, reason.name());
    add(aside.headers(), DeadLetterHeaders.MESSAGE, message);
    add(aside.headers(), DeadLetterHeaders.TOPIC, record.topic());
    add(aside.headers(), DeadLetterHeaders.PARTITION, Integer.toString(record.partition()));
    add(aside.headers(), DeadLetterHeaders.OFFSET, Long.toString(record.offset()));
    add(aside.headers(), DeadLetterHeaders.GROUP, groupId);
    add(aside.headers(), DeadLetterHeaders.AT, clock.instant().toString());
    return aside;
  }

  private static void add(Headers headers, String name, String text) {
    headers.add(name, text.getBytes(UTF_8));
  }

  private Producer<byte[], byte[]> producer() {
    synchronized (lock) {
      Producer<byte[], byte[]> current = producer;
      if (current == null) {
        current = new KafkaProducer<>(producerProperties());
        producer = current;
      }
      return current;
    }
  }

  private Map<String, Object> producerProperties() {
    Map<String, Object> properties = new HashMap<>(clientProperties);
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MILLIS);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(MAX_RECORD_BYTES));
    properties.put(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    properties.put(
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    return properties;
  }

  private void discard(Producer<byte[], byte[]> broken) {
    synchronized (lock) {
      if (producer == broken) {
        producer = null;
      }
    }
    broken.close(Duration.ZERO);
  }

  @Override
  public void close() {
    synchronized (lock) {
      if (producer != null) {
        producer.close(CLOSE_TIMEOUT);
        producer = null;
      }
    }
  }
}
