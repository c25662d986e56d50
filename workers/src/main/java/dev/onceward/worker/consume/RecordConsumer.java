package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
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

  /** Doubled with each failure: a client that comes and goes unsettles the whole group. */
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(1);

  private static final Duration AFTER_FAILURE_CAP = Duration.ofSeconds(30);

  /** A client that lived so long was not made in vain. */
  private static final Duration SETTLED = Duration.ofMinutes(1);

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
    switch (options.kind()) {
      case GROUP -> GroupSession.check(options);
      case SHARE -> ShareSession.check(options);
    }
    this.options = options;
    this.deliveries = deliveries;
    this.pool = new DeliveryPool(options.concurrency(), status::progressed);
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
      try (Session session = open()) {
        while (!closing) {
          session.pass(taking);
          status.passed();
        }
        session.commit();
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

  private Session open() {
    return switch (options.kind()) {
      case GROUP -> new GroupSession(options, deliveries, pool, status);
      case SHARE -> new ShareSession(options, deliveries, pool, status);
    };
  }
}
