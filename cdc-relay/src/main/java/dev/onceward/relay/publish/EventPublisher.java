package dev.onceward.relay.publish;

import dev.onceward.event.route.EventRecord;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends batches and waits for their acknowledgement. Confined to one thread, except {@link #close}.
 */
public final class EventPublisher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(EventPublisher.class);
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final KafkaSettings settings;
  private final TopicCatalog topics;
  private final PublishStatus status;
  private @Nullable Producer<byte[], byte[]> producer;

  /** What one attempt achieved and left behind: a failure and what to send again, in order. */
  private record Attempt(
      List<Acknowledged> acknowledged,
      List<EventRecord> unacknowledged,
      @Nullable Failure failure) {}

  /** How a send ended: in an offset or in a failure. */
  private record Outcome(long offset, @Nullable Throwable failure) {}

  /** The first failure of an attempt; of which event, if it concerns one. */
  private record Failure(Throwable cause, @Nullable EventRecord record) {}

  public EventPublisher(KafkaSettings settings, TopicCatalog topics, PublishStatus status) {
    this.settings = settings;
    this.topics = topics;
    this.status = status;
  }

  /**
   * Sends the records and returns when Kafka has acknowledged them all, however long that takes.
   *
   * @throws UnpublishableEventException if Kafka refuses one for what it is; others of the batch
   *     may have been written
   * @throws InterruptedException at once on an interrupt; some may have been written
   */
  public List<Acknowledged> publish(List<EventRecord> records) throws InterruptedException {
    List<Acknowledged> acknowledged = new ArrayList<>(records.size());
    List<EventRecord> remaining = records;
    while (true) {
      Attempt attempt = attempt(remaining);
      acknowledged.addAll(attempt.acknowledged);
      Failure failure = attempt.failure;
      if (failure == null) {
        return acknowledged;
      }
      remaining = attempt.unacknowledged;
      recover(failure, remaining);
      Thread.sleep(PAUSE.toMillis());
    }
  }

  /** Gets ready for the next attempt, or throws if there is no sense in one. */
  private void recover(Failure failure, List<EventRecord> remaining) throws InterruptedException {
    Throwable cause = failure.cause;
    EventRecord record = failure.record;
    String trouble = KafkaFailures.describe(cause);
    if (record != null && KafkaFailures.concernsEvent(cause)) {
      throw new UnpublishableEventException(record.eventId(), trouble, cause);
    }
    status.retry(trouble);
    LOG.warn("{} events are not acknowledged and are sent again: {}", remaining.size(), trouble);
    if (!KafkaFailures.leavesProducerUsable(cause)) {
      close();
    }
    if (KafkaFailures.mayBeMissingTopic(cause)) {
      topics.recheck(remaining.stream().map(EventRecord::topic).distinct().toList());
    }
  }

  private Attempt attempt(List<EventRecord> records) throws InterruptedException {
    List<Future<RecordMetadata>> sent = new ArrayList<>(records.size());
    Failure failure = null;
    try {
      Producer<byte[], byte[]> current = producer();
      for (EventRecord record : records) {
        Future<RecordMetadata> future = current.send(toKafka(record));
        sent.add(future);
        if (future.isDone() && outcome(future).failure != null) {
          break; // Not even queued. What comes after it must not overtake it.
        }
      }
      current.flush();
    } catch (InterruptException e) {
      throw interrupted(e);
    } catch (KafkaException | IllegalArgumentException | IllegalStateException e) {
      // Thrown by the next send, if not all were sent.
      failure = new Failure(e, sent.size() < records.size() ? records.get(sent.size()) : null);
    }
    List<Acknowledged> acknowledged = new ArrayList<>(records.size());
    List<EventRecord> unacknowledged = new ArrayList<>();
    for (int i = 0; i < records.size(); i++) {
      EventRecord record = records.get(i);
      if (i >= sent.size()) {
        unacknowledged.add(record);
        continue;
      }
      Outcome outcome = outcome(sent.get(i));
      if (outcome.failure == null) {
        acknowledged.add(acknowledged(record, outcome.offset));
      } else {
        unacknowledged.add(record);
        failure = failure == null ? new Failure(outcome.failure, record) : failure;
      }
    }
    return new Attempt(acknowledged, unacknowledged, failure);
  }

  private static Acknowledged acknowledged(EventRecord record, long offset) {
    TopicPartition partition = new TopicPartition(record.topic(), record.partition());
    return new Acknowledged(record.eventId(), partition, offset, record.sizeBytes());
  }

  /** How a send ended. Waits if it is still on its way. */
  private static Outcome outcome(Future<RecordMetadata> future) throws InterruptedException {
    try {
      return new Outcome(future.get().offset(), null);
    } catch (ExecutionException e) {
      return new Outcome(-1, KafkaFailures.unwrap(e));
    }
  }

  private static ProducerRecord<byte[], byte[]> toKafka(EventRecord record) {
    return new ProducerRecord<>(
        record.topic(), record.partition(), record.key(), record.value(), record.headers());
  }

  private static InterruptedException interrupted(InterruptException e) {
    Thread.interrupted(); // InterruptException has set it again.
    InterruptedException interrupted = new InterruptedException("interrupted while publishing");
    interrupted.initCause(e);
    return interrupted;
  }

  private synchronized Producer<byte[], byte[]> producer() {
    Producer<byte[], byte[]> current = producer;
    if (current == null) {
      current = new KafkaProducer<>(settings.producer());
      producer = current;
    }
    return current;
  }

  /**
   * Ends the producer at once; what it has not sent is dropped and counts as unacknowledged. A
   * later {@link #publish} makes a new one.
   */
  @Override
  public synchronized void close() {
    Producer<byte[], byte[]> current = producer;
    producer = null;
    if (current != null) {
      current.close(Duration.ZERO);
    }
  }
}
