package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.AcknowledgeType;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaShareConsumer;
import org.apache.kafka.clients.consumer.ShareConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicIdPartition;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A member of a share group. Whatever a poll returns is acknowledged before the next one: accepted
 * once its task is claimed or needs nothing, renewed while it waits here, released when this worker
 * stops. The client fetches nothing new while anything is renewed (KIP-1222): what waits here has
 * all workers busy, and what comes meanwhile is another member's. Confined to the consumer's
 * thread.
 *
 * <p>Failure: a lock that could not be renewed is another member's soon; what waits here is then
 * forgotten, and of two that claim the task one wins.
 */
final class ShareSession implements Session {

  private static final Logger log = LoggerFactory.getLogger(ShareSession.class);

  private static final Duration POLL = Duration.ofMillis(200);

  /** Locks are renewed this often while records wait: far below the shortest lock (1 s). */
  private static final Duration RENEWAL = Duration.ofMillis(300);

  private static final Duration WHILE_LEFT = Duration.ofMillis(50);
  private static final Duration COMMIT_TIMEOUT = Duration.ofSeconds(3);
  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);

  private record Place(TopicPartition partition, long topicOffset) {}

  private final DeliveryFactory deliveries;
  private final DeliveryPool pool;
  private final ConsumerStatus status;
  private final ShareConsumer<byte[], byte[]> client;
  private final Map<Place, SharedRecord> held = new HashMap<>();
  private final Object decision = new Object();
  private boolean left;

  ShareSession(
      ConsumerOptions options,
      DeliveryFactory deliveries,
      DeliveryPool pool,
      ConsumerStatus status) {
    this.deliveries = deliveries;
    this.pool = pool;
    this.status = status;
    ShareGroup.beginAtTheEarliest(options.clientProperties(), options.groupId());
    client = new KafkaShareConsumer<>(ShareProperties.of(options));
    client.setAcknowledgementCommitCallback(this::acknowledged);
    client.subscribe(options.topics());
  }

  /** Has the client check its settings, without asking any broker; throws its ConfigException. */
  static void check(ConsumerOptions options) {
    new KafkaShareConsumer<byte[], byte[]>(ShareProperties.of(options)).close(Duration.ZERO);
  }

  @Override
  public void pass(boolean taking) {
    if (left) {
      pause();
      return;
    }
    ConsumerRecords<byte[], byte[]> records = client.poll(POLL);
    for (ConsumerRecord<byte[], byte[]> record : records) {
      Place place = place(record);
      if (taking && !held.containsKey(place)) {
        SharedRecord shared = new SharedRecord(record.timestamp(), this::wake);
        held.put(place, shared);
        pool.submit(deliveries.open(record), shared);
      }
    }
    if (taking && !records.isEmpty()) {
      awaitDecisions();
    }
    for (ConsumerRecord<byte[], byte[]> record : records) {
      client.acknowledge(record, verdict(place(record), taking));
    }
    reportLag();
    if (!taking) {
      leave();
    }
  }

  /**
   * Another poll would bring what was just released, and count that as a delivery: a few of them,
   * and the broker would give the records up.
   */
  private void leave() {
    commit();
    left = true;
    close();
  }

  private static void pause() {
    try {
      Thread.sleep(WHILE_LEFT.toMillis());
    } catch (InterruptedException stopping) {
      throw new InterruptException(stopping);
    }
  }

  private AcknowledgeType verdict(Place place, boolean taking) {
    SharedRecord shared = held.get(place);
    if (shared == null) {
      return AcknowledgeType.RELEASE;
    }
    if (shared.isAccepted()) {
      held.remove(place);
      return AcknowledgeType.ACCEPT;
    }
    if (!taking && shared.release()) {
      held.remove(place);
      return AcknowledgeType.RELEASE;
    }
    return AcknowledgeType.RENEW;
  }

  /** Waits until everything held is decided, but not for longer than a renewal. */
  private void awaitDecisions() {
    long deadline = System.nanoTime() + RENEWAL.toNanos();
    synchronized (decision) {
      long left = RENEWAL.toMillis();
      while (left > 0 && !held.values().stream().allMatch(SharedRecord::isAccepted)) {
        try {
          decision.wait(left);
        } catch (InterruptedException stopping) {
          throw new InterruptException(stopping);
        }
        left = (deadline - System.nanoTime()) / 1_000_000;
      }
    }
  }

  private void wake() {
    synchronized (decision) {
      decision.notifyAll();
    }
  }

  private void acknowledged(
      Map<TopicIdPartition, Set<Long>> topicOffsets, @Nullable Exception failure) {
    if (failure == null) {
      return;
    }
    log.debug("locks were lost or acknowledgements refused; those records come again", failure);
    topicOffsets.forEach(
        (partition, lost) ->
            lost.forEach(
                topicOffset -> {
                  SharedRecord shared =
                      held.remove(new Place(partition.topicPartition(), topicOffset));
                  if (shared != null) {
                    shared.lost();
                  }
                }));
  }

  /** What waits here; what nobody has fetched yet is known to the broker only. */
  private void reportLag() {
    Map<TopicPartition, Long> waiting = new HashMap<>();
    Map<TopicPartition, Long> oldest = new HashMap<>();
    held.forEach(
        (place, shared) -> {
          if (!shared.isAccepted()) {
            waiting.merge(place.partition(), 1L, Long::sum);
            oldest.merge(place.partition(), shared.sentAtMillis(), Math::min);
          }
        });
    status.lag(waiting, oldest);
  }

  private static Place place(ConsumerRecord<byte[], byte[]> record) {
    return new Place(new TopicPartition(record.topic(), record.partition()), record.offset());
  }

  @Override
  public void commit() {
    if (!left) {
      client.commitSync(COMMIT_TIMEOUT);
    }
  }

  @Override
  public void close() {
    try {
      client.close(LEAVE_TIMEOUT);
    } catch (KafkaException failure) {
      log.warn("the Kafka client did not close cleanly: {}", failure.getClass().getSimpleName());
    } finally {
      new HashSet<>(held.values()).forEach(SharedRecord::lost);
    }
  }
}
