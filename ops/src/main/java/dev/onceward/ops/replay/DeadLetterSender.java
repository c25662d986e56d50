package dev.onceward.ops.replay;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends records from dead-letter topics back to where they came from, byte for byte. Confined to
 * one thread.
 */
public final class DeadLetterSender implements AutoCloseable {

  /** As large as a dead-letter topic takes them. */
  private static final int MAX_RECORD_BYTES = 16 * 1024 * 1024;

  private static final String DELIVERY_TIMEOUT_MILLIS = "20000";
  private static final String REQUEST_TIMEOUT_MILLIS = "10000";
  private static final String MAX_BLOCK_MILLIS = "8000";
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(2);

  private final KafkaProducer<byte[], byte[]> producer;

  /**
   * @param clientSettings passed through to Kafka's client
   */
  public DeadLetterSender(Map<String, String> clientSettings) {
    Map<String, Object> properties = new HashMap<>(clientSettings);
    properties.put(ProducerConfig.CLIENT_ID_CONFIG, "onceward-ops-redrive");
    properties.put(ProducerConfig.ACKS_CONFIG, "all");
    properties.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    properties.put(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, DELIVERY_TIMEOUT_MILLIS);
    properties.put(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, REQUEST_TIMEOUT_MILLIS);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, MAX_BLOCK_MILLIS);
    properties.put(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Integer.toString(MAX_RECORD_BYTES));
    properties.put(ProducerConfig.LINGER_MS_CONFIG, "5");
    producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * A record to be sent. Not copied defensively.
   *
   * @param topic where to; it must exist
   * @param partition of it; it must exist
   */
  @SuppressWarnings("ArrayRecordComponent") // Sent as it is, never compared.
  public record Outgoing(
      String topic,
      int partition,
      byte @Nullable [] key,
      byte @Nullable [] value,
      Iterable<Header> headers) {}

  /**
   * Sends them and waits until all replicas in sync have them.
   *
   * @return for each, in order, why it was not taken; empty if it was
   */
  public List<Optional<Exception>> send(List<Outgoing> records) throws InterruptedException {
    List<Future<RecordMetadata>> acknowledgements = new ArrayList<>();
    List<Optional<Exception>> results = new ArrayList<>();
    for (Outgoing record : records) {
      acknowledgements.add(
          producer.send(
              new ProducerRecord<>(
                  record.topic, record.partition, record.key, record.value, record.headers)));
    }
    producer.flush();
    for (Future<RecordMetadata> acknowledgement : acknowledgements) {
      results.add(result(acknowledgement));
    }
    return results;
  }

  private static Optional<Exception> result(Future<RecordMetadata> acknowledgement)
      throws InterruptedException {
    try {
      acknowledgement.get();
      return Optional.empty();
    } catch (ExecutionException refused) {
      return Optional.of(
          refused.getCause() instanceof Exception cause ? cause : new KafkaException(refused));
    }
  }

  @Override
  public void close() {
    producer.close(CLOSE_TIMEOUT);
  }
}
