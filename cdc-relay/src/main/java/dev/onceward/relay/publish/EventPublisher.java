package dev.onceward.relay.publish;

import dev.onceward.event.route.EventRecord;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.apache.kafka.clients.producer.Callback;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;

/**
 * Sends batches and waits for their acknowledgement. Confined to one thread, except {@link #close}.
 */
final class EventPublisher implements AutoCloseable {
  private final KafkaSettings settings;
  private final TopicCatalog topics;
  private final ReadBack readBack;
  private final SilenceWatch watch;
  private final Callback progress;
  private @Nullable Producer<byte[], byte[]> producer;

  /** How a send ended: in an offset or in a failure. */
  private record Outcome(long offset, @Nullable Throwable failure) {}

  /** The sends of an attempt; the last one may have failed before it was queued. */
  private record Sends(List<Future<RecordMetadata>> futures, @Nullable Throwable thrown) {}

  EventPublisher(
      KafkaSettings settings, TopicCatalog topics, PublishStatus status, Duration patience) {
    this.settings = settings;
    this.topics = topics;
    this.readBack = new ReadBack(settings.consumer());
    this.watch = new SilenceWatch(patience, status, this::closeProducer);
    this.progress =
        (metadata, failure) -> {
          if (failure == null) {
            watch.progress();
          }
        };
  }

  /**
   * Sends the records once, in order, and returns when each has ended one way or the other. While
   * the cluster is away that takes as long as it does.
   *
   * @throws InterruptedException at once on an interrupt; some may have been written
   */
  Attempt attempt(List<EventRecord> records) throws InterruptedException {
    Instant begunAt = Instant.now();
    watch.begin();
    try {
      Sends sends = send(records);
      Judgement judgement = new Judgement(records.size());
      for (int i = 0; i < records.size(); i++) {
        if (i < sends.futures.size()) {
          boolean queued = i < sends.futures.size() - 1 || sends.futures.size() == records.size();
          judgement.ended(records.get(i), outcome(sends.futures.get(i)), queued);
        } else if (i == sends.futures.size()
            && sends.thrown != null
            && KafkaFailures.concernsEvent(sends.thrown)) {
          judgement.ended(records.get(i), new Outcome(-1, sends.thrown), false);
        } else {
          judgement.unacknowledged.add(records.get(i));
          judgement.failed(sends.thrown);
        }
      }
      return conclude(judgement, watch.end(), begunAt);
    } finally {
      watch.end();
    }
  }

  private Sends send(List<EventRecord> records) throws InterruptedException {
    List<Future<RecordMetadata>> futures = new ArrayList<>(records.size());
    try {
      Producer<byte[], byte[]> current = producer();
      for (EventRecord record : records) {
        Future<RecordMetadata> future = current.send(toKafka(record), progress);
        futures.add(future);
        if (future.isDone()) {
          Throwable failure = outcome(future).failure;
          if (failure != null && !KafkaFailures.concernsEvent(failure)) {
            break; // Not even queued. What comes after it must not overtake it.
          }
        }
      }
      current.flush();
      return new Sends(futures, null);
    } catch (InterruptException e) {
      throw interrupted(e);
    } catch (KafkaException | IllegalArgumentException | IllegalStateException e) {
      return new Sends(futures, e); // Thrown by the next send, if not all were sent.
    }
  }

  private Attempt conclude(Judgement judgement, boolean gaveUp, Instant begunAt)
      throws InterruptedException {
    Throwable failure = judgement.failure;
    boolean closing = gaveUp || (failure != null && !KafkaFailures.leavesProducerUsable(failure));
    if (closing) {
      closeProducer();
      if (!judgement.queued.isEmpty()) {
        judgement.found(readBack.find(judgement.queued, begunAt));
      }
    }
    if (failure != null && KafkaFailures.mayBeMissingTopic(failure)) {
      topics.forget(judgement.unacknowledged.stream().map(EventRecord::topic).toList());
    }
    return judgement.attempt(gaveUp);
  }

  /** Sorts the records of one attempt by how they ended. */
  private static final class Judgement {
    final List<Acknowledged> acknowledged;
    final List<Refused> refused = new ArrayList<>();
    final List<EventRecord> unacknowledged = new ArrayList<>();
    final List<EventRecord> queued = new ArrayList<>();
    final Map<String, String> refusedTopics = new HashMap<>();
    @Nullable Throwable failure;

    Judgement(int size) {
      acknowledged = new ArrayList<>(size);
    }

    void ended(EventRecord record, Outcome outcome, boolean wasQueued) {
      Throwable why = outcome.failure;
      if (why == null) {
        TopicPartition partition = new TopicPartition(record.topic(), record.partition());
        acknowledged.add(
            new Acknowledged(record.eventId(), partition, outcome.offset, record.sizeBytes()));
        return;
      }
      if (KafkaFailures.concernsEvent(why)) {
        refused.add(new Refused(record, KafkaFailures.describe(why)));
        return;
      }
      unacknowledged.add(record);
      if (wasQueued) {
        queued.add(record);
      }
      if (KafkaFailures.refusesTopic(why)) {
        refusedTopics.put(record.topic(), KafkaFailures.describe(why));
      }
      failed(why);
    }

    /** One that ends the producer weighs more than one that does not. */
    void failed(@Nullable Throwable why) {
      if (failure == null
          || (why != null
              && KafkaFailures.leavesProducerUsable(failure)
              && !KafkaFailures.leavesProducerUsable(why))) {
        failure = why;
      }
    }

    void found(List<Acknowledged> inKafka) {
      Set<UUID> ids = new HashSet<>();
      inKafka.forEach(found -> ids.add(found.eventId()));
      acknowledged.addAll(inKafka);
      unacknowledged.removeIf(record -> ids.contains(record.eventId()));
      queued.removeIf(record -> ids.contains(record.eventId()));
    }

    Attempt attempt(boolean gaveUp) {
      Set<String> silent = new HashSet<>();
      if (gaveUp) {
        queued.forEach(record -> silent.add(record.topic()));
      }
      Throwable why = failure;
      return new Attempt(
          acknowledged,
          refused,
          unacknowledged,
          refusedTopics,
          silent,
          why == null ? null : KafkaFailures.describe(why));
    }
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

  private synchronized void closeProducer() {
    Producer<byte[], byte[]> current = producer;
    producer = null;
    if (current != null) {
      current.close(Duration.ZERO);
    }
  }

  /**
   * Ends the producer at once; what it has not sent is dropped and counts as unacknowledged. A
   * later {@link #attempt} makes a new one.
   */
  @Override
  public void close() {
    watch.close();
    closeProducer();
  }
}
