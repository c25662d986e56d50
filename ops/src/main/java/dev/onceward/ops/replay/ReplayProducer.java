package dev.onceward.ops.replay;

import dev.onceward.event.route.EventRecord;
import dev.onceward.ops.kafka.KafkaFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.InvalidRecordException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.InvalidTimestampException;
import org.apache.kafka.common.errors.RecordBatchTooLargeException;
import org.apache.kafka.common.errors.RecordTooLargeException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/**
 * Sends pages of records and waits for their acknowledgement. Confined to one thread.
 *
 * <p>What is in Kafka of a page is, partition by partition, its beginning: the producer is
 * idempotent, its batches never expire, and it is closed at the first failure that does not concern
 * a record alone.
 */
final class ReplayProducer implements AutoCloseable {

  /** How long Kafka may say nothing at all. */
  static final Duration PATIENCE = Duration.ofSeconds(30);

  private static final Set<Class<? extends Throwable>> OF_THE_RECORD =
      Set.of(
          RecordTooLargeException.class,
          RecordBatchTooLargeException.class,
          InvalidRecordException.class,
          InvalidTimestampException.class);

  private final KafkaProducer<byte[], byte[]> producer;
  private final Duration patience;

  /** How a send ended: in an offset or in a failure. */
  private record Outcome(long offset, @Nullable Throwable failure) {}

  /**
   * @param clientSettings Kafka's own client settings, by Kafka's names
   * @throws KafkaException if they are not understood
   */
  ReplayProducer(Map<String, String> clientSettings, Duration patience) {
    this.producer = new KafkaProducer<>(settings(clientSettings));
    this.patience = patience;
  }

  private static Properties settings(Map<String, String> clientSettings) {
    Properties settings = new Properties();
    settings.setProperty(ProducerConfig.BATCH_SIZE_CONFIG, "131072");
    settings.setProperty(ProducerConfig.RECONNECT_BACKOFF_MAX_MS_CONFIG, "1000");
    settings.putAll(clientSettings);
    settings.remove(ProducerConfig.TRANSACTIONAL_ID_CONFIG);
    settings.setProperty(ProducerConfig.CLIENT_ID_CONFIG, "onceward-replay");
    settings.setProperty(ProducerConfig.ACKS_CONFIG, "all");
    settings.setProperty(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, "true");
    settings.setProperty(ProducerConfig.MAX_IN_FLIGHT_REQUESTS_PER_CONNECTION, "5");
    settings.setProperty(ProducerConfig.RETRIES_CONFIG, Integer.toString(Integer.MAX_VALUE));
    settings.setProperty(
        ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, Integer.toString(Integer.MAX_VALUE));
    settings.setProperty(ProducerConfig.MAX_BLOCK_MS_CONFIG, "10000");
    settings.setProperty(
        ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    settings.setProperty(
        ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG, ByteArraySerializer.class.getName());
    return settings;
  }

  /**
   * Sends the records in order and returns when each has ended one way or the other.
   *
   * @throws SendingFailedException if Kafka is away or refuses the topic; the producer is closed
   */
  Sent send(List<EventRecord> records) throws SendingFailedException, InterruptedException {
    try {
      List<Future<RecordMetadata>> futures = new ArrayList<>(records.size());
      Map<TopicPartition, Long> ends = new HashMap<>();
      List<Sent.Refusal> refusals = new ArrayList<>();
      for (EventRecord record : records) {
        Future<RecordMetadata> future = producer.send(toKafka(record));
        futures.add(future);
        if (future.isDone()) {
          // Perhaps it was not even queued: what comes after it must not overtake it.
          requireUsable(outcome(future));
        }
      }
      for (int i = 0; i < records.size(); i++) {
        EventRecord record = records.get(i);
        Outcome outcome = outcome(futures.get(i));
        if (outcome.failure == null) {
          TopicPartition partition = new TopicPartition(record.topic(), record.partition());
          ends.merge(partition, outcome.offset + 1, Math::max);
        } else {
          refusals.add(new Sent.Refusal(record.eventId(), reasonOf(outcome.failure)));
        }
      }
      return new Sent(ends, refusals);
    } catch (InterruptException e) {
      Thread.interrupted(); // InterruptException has set it again.
      close();
      throw new InterruptedException("interrupted while sending");
    } catch (KafkaException e) {
      throw failed(e);
    }
  }

  /** How a send ended; waits if it is still on its way. */
  private Outcome outcome(Future<RecordMetadata> future)
      throws SendingFailedException, InterruptedException {
    try {
      return new Outcome(future.get(patience.toMillis(), TimeUnit.MILLISECONDS).offset(), null);
    } catch (ExecutionException e) {
      return new Outcome(-1, KafkaFailures.unwrap(e));
    } catch (TimeoutException e) {
      throw failed(e);
    }
  }

  private void requireUsable(Outcome outcome) throws SendingFailedException {
    if (outcome.failure != null && !concernsRecord(outcome.failure)) {
      throw failed(outcome.failure);
    }
  }

  /** Why Kafka will never take a record; ends everything if the failure is of another kind. */
  private String reasonOf(Throwable failure) throws SendingFailedException {
    if (!concernsRecord(failure)) {
      throw failed(failure);
    }
    return failure.getClass().getSimpleName() + ": " + failure.getMessage();
  }

  private static boolean concernsRecord(Throwable failure) {
    return OF_THE_RECORD.stream().anyMatch(kind -> kind.isInstance(failure));
  }

  private SendingFailedException failed(Throwable failure) {
    close();
    String what =
        failure instanceof TimeoutException
            ? "Kafka acknowledges nothing for " + patience.toSeconds() + " s"
            : failure.getClass().getSimpleName() + ": " + failure.getMessage();
    return new SendingFailedException(what, failure);
  }

  private static ProducerRecord<byte[], byte[]> toKafka(EventRecord record) {
    return new ProducerRecord<>(
        record.topic(), record.partition(), record.key(), record.value(), record.headers());
  }

  /** Ends it at once; what it has not sent is dropped. */
  @Override
  public void close() {
    producer.close(Duration.ZERO);
  }
}
