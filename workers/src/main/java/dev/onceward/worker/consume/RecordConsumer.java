package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartition;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Owns the thread that polls Kafka. The thread never waits for work, so that slow work never costs
 * the membership in the group: when enough is in hand it pauses the partitions and polls on.
 *
 * <p>Failure: a poll that throws costs the Kafka client, not the process. Its partitions are let
 * go, uncommitted records come again, and a new client is made after a pause. {@link #start},
 * {@link #stopTaking} and {@link #close} are for any thread and idempotent.
 */
public final class RecordConsumer {

  private static final Logger log = LoggerFactory.getLogger(RecordConsumer.class);

  private static final Duration POLL = Duration.ofMillis(200);

  /** While all is paused: so short that room in the buffer is used at once. */
  private static final Duration POLL_WHILE_PAUSED = Duration.ofMillis(20);

  private static final Duration COMMIT_INTERVAL = Duration.ofMillis(500);

  /** Doubled with each failure: a client that comes and goes unsettles the whole group. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private static final Duration AFTER_FAILURE_CAP = Duration.ofSeconds(30);

  /** A client that lived so long was not made in vain. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

  private static final Duration LEAVE_TIMEOUT = Duration.ofSeconds(3);

  private final ConsumerOptions options;
  private final DeliveryFactory deliveries;
  private final DeliveryPool pool;
  private final ConsumerStatus status = new ConsumerStatus();
  private final Thread thread = new Thread(this::run, "consumer");
  private final AtomicBoolean started = new AtomicBoolean();
  private volatile boolean taking = true;
  private volatile boolean closing;

  /**
   * Makes a consumer that does nothing before {@link #start}.
   *
   * @throws org.apache.kafka.common.config.ConfigException if the Kafka client would refuse its
   *     properties
   */
  public RecordConsumer(ConsumerOptions options, DeliveryFactory deliveries) {
    var checked = new ConsumerConfig(ConsumerProperties.of(options));
    log.debug("subscribing as {}", checked.getString(ConsumerConfig.GROUP_ID_CONFIG));
    this.options = options;
    this.deliveries = deliveries;
    this.pool = new DeliveryPool(options.concurrency());
  }

  /** Begins to poll. Kafka need not be there yet. */
  public void start() {
    if (started.compareAndSet(false, true)) {
      thread.start();
    }
  }

  /** What the loop knows of itself. */
  public ConsumerStatus status() {
    return status;
  }

  /** Deliveries in hand: running, waiting for their lane, or waiting for their time. */
  public int buffered() {
    return pool.buffered();
  }

  /** Begins no further delivery; what runs may end, and the membership is kept. Returns at once. */
  public void stopTaking() {
    taking = false;
  }

  /**
   * Commits what is finished, leaves the group, interrupts what still runs.
   *
   * @param timeout how long to wait for the thread's end
   */
  public void close(Duration timeout) throws InterruptedException {
    taking = false;
    closing = true;
    if (started.get()) {
      thread.join(Math.max(1, timeout.toMillis()));
    }
    pool.close();
  }

  private void run() {
    Duration pause = AFTER_FAILURE;
    while (!closing) {
      long begun = System.nanoTime();
      try (Session session = new Session()) {
        while (!closing) {
          session.pass();
          status.passed();
        }
        session.assignment.commitNow();
      } catch (Throwable failure) { // the outermost guard: an outage must not end the process
        status.failed("the Kafka client failed: " + name(failure));
        log.error("the Kafka client failed and is made anew: {}", name(failure), failure);
        if (System.nanoTime() - begun > SETTLED.toNanos()) {
          pause = AFTER_FAILURE;
        }
        pause(pause);
        pause = pause.compareTo(AFTER_FAILURE_CAP) < 0 ? pause.multipliedBy(2) : pause;
      }
    }
  }

  private static String name(Throwable failure) {
    return failure.getClass().getSimpleName();
  }

  private void pause(Duration length) {
    long end = System.nanoTime() + length.toNanos();
    try {
      while (!closing && System.nanoTime() - end < 0) {
        Thread.sleep(POLL.toMillis());
      }
    } catch (InterruptedException stopping) {
      closing = true;
    }
  }

  /** The life of one Kafka client. Confined to the consumer's thread. */
  private final class Session implements AutoCloseable {

    private final Consumer<byte[], byte[]> client =
        new KafkaConsumer<>(ConsumerProperties.of(options));
    private final Assignment assignment = new Assignment(client, options.drain());
    private long nextCommitNanos = System.nanoTime();
    private boolean released;

    Session() {
      client.subscribe(options.topics(), assignment);
    }

    /** One turn of the loop. */
    void pass() {
      if (!taking && !released) {
        assignment.releaseAll();
        released = true;
      }
      boolean allPaused = regulate();
      for (ConsumerRecord<byte[], byte[]> record :
          client.poll(allPaused ? POLL_WHILE_PAUSED : POLL)) {
        take(record);
      }
      if (System.nanoTime() - nextCommitNanos >= 0) {
        nextCommitNanos = System.nanoTime() + COMMIT_INTERVAL.toNanos();
        assignment.commitSoon();
        status.lag(lag());
      }
    }

    private void take(ConsumerRecord<byte[], byte[]> record) {
      PartitionProgress progress =
          assignment.progress(
              new TopicPartition(record.topic(), record.partition()), record.offset());
      if (!taking || progress == null) {
        return; // stays uncommitted and comes again
      }
      pool.submit(deliveries.open(record), progress, progress.arrived(record.offset()));
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

    @Override
    public void close() {
      try {
        client.close(CloseOptions.timeout(LEAVE_TIMEOUT));
      } catch (KafkaException failure) {
        log.warn("the Kafka client did not close cleanly: {}", name(failure));
      } finally {
        assignment.releaseAll();
      }
    }
  }
}
