package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A member of a consumer group. Confined to the consumer's thread. */
final class GroupSession implements Session {

  private static final Logger log = LoggerFactory.getLogger(GroupSession.class);

  private static final Duration POLL = Duration.ofMillis(200);

  /** While all is paused: so short that room in the buffer is used at once. */
  private static final Duration POLL_WHILE_PAUSED = Duration.ofMillis(20);

  private static final Duration COMMIT_INTERVAL = Duration.ofMillis(500);
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);

  private final ConsumerOptions options;
  private final DeliveryFactory deliveries;
  private final DeliveryPool pool;
  private final ConsumerStatus status;
  private final Consumer<byte[], byte[]> client;
  private final Assignment assignment;
  private final StartOffsets starts;
  private long nextCommitNanos = System.nanoTime();
  private boolean released;
  private boolean taking = true;

  GroupSession(
      ConsumerOptions options,
      DeliveryFactory deliveries,
      DeliveryPool pool,
      ConsumerStatus status) {
    this.options = options;
    this.deliveries = deliveries;
    this.pool = pool;
    this.status = status;
    client = new KafkaConsumer<>(ConsumerProperties.of(options));
    assignment = new Assignment(client, options.drain());
    starts = new StartOffsets(client, status);
    client.subscribe(options.topics(), assignment);
  }

  /** Has the client check its settings; throws its ConfigException. */
  static void check(ConsumerOptions options) {
    var checked = new ConsumerConfig(ConsumerProperties.of(options));
    log.debug("subscribing as {}", checked.getString(ConsumerConfig.GROUP_ID_CONFIG));
  }

  @Override
  public void pass(boolean mayTake) {
    taking = mayTake;
    if (!taking && !released) {
      assignment.releaseAll();
      released = true;
    }
    boolean allPaused = regulate();
    try {
      client.poll(allPaused ? POLL_WHILE_PAUSED : POLL).forEach(this::take);
    } catch (InvalidOffsetException nowhere) {
      starts.beginAnew(nowhere);
    }
    if (System.nanoTime() - nextCommitNanos >= 0) {
      nextCommitNanos = System.nanoTime() + COMMIT_INTERVAL.toNanos();
      assignment.commitSoon();
      status.lag(lag(), oldest());
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    PartitionProgress progress =
        assignment.progress(
            new TopicPartition(record.topic(), record.partition()), record.offset());
    if (!taking || progress == null) {
      return; // stays uncommitted and comes again
    }
    pool.submit(deliveries.open(record), progress.arrived(record.offset(), record.timestamp()));
  }

  /** Pauses and resumes; true if everything held is paused. */
  private boolean regulate() {
    boolean full = !taking || pool.buffered() >= options.bufferRecords();
    Set<TopicPartition> held = assignment.held();
    Set<TopicPartition> stop = full ? held : assignment.crowded();
    Set<TopicPartition> paused = new HashSet<>(client.paused());
    paused.retainAll(held);
    Set<TopicPartition> go = new HashSet<>(paused);
    go.removeAll(stop);
    client.resume(go);
    Set<TopicPartition> more = new HashSet<>(stop);
    more.removeAll(paused);
    client.pause(more);
    return full && !held.isEmpty();
  }

  private Map<TopicPartition, Long> lag() {
    Map<TopicPartition, Long> records = new HashMap<>();
    for (TopicPartition partition : assignment.held()) {
      OptionalLong unread = client.currentLag(partition);
      PartitionProgress progress = assignment.progress(partition);
      if (unread.isPresent() && progress != null) {
        records.put(partition, unread.getAsLong() + progress.behind());
      }
    }
    return records;
  }

  private Map<TopicPartition, Long> oldest() {
    Map<TopicPartition, Long> oldest = new HashMap<>();
    for (TopicPartition partition : assignment.held()) {
      PartitionProgress progress = assignment.progress(partition);
      if (progress != null) {
        progress.oldestMillis().ifPresent(millis -> oldest.put(partition, millis));
      }
    }
    return oldest;
  }

  @Override
  public void commit() {
    assignment.commitNow();
  }

  @Override
  public void close() {
    try {
      client.close(CloseOptions.timeout(LEAVE_TIMEOUT));
    } catch (KafkaException failure) {
      log.warn("the Kafka client did not close cleanly: {}", failure.getClass().getSimpleName());
    } finally {
      assignment.releaseAll();
    }
  }
}
