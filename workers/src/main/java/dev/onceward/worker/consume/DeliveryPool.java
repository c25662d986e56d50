package dev.onceward.worker.consume;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Attempts deliveries on a fixed number of threads: in order within a lane, out of order between
 * lanes. A delivery that asks to be offered again waits on no thread, while its lane waits behind
 * it. Deliveries that were let go are forgotten, not finished. Thread-safe.
 */
final class DeliveryPool implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(DeliveryPool.class);

  /** After a defect (an exception nobody expected) the record is offered again this much later. */
  private static final Duration AFTER_DEFECT = Duration.ofSeconds(1);

  /** A delivery and where it stands. Compared by identity. */
  private static final class Work {
    private final Delivery delivery;
    private final @Nullable String lane;
    private final Holding holding;

    private Work(Delivery delivery, Holding holding) {
      this.delivery = delivery;
      this.lane = delivery.lane();
      this.holding = holding;
    }
  }

  private final Runnable progressed;
  private final ThreadPoolExecutor threads;
  private final ScheduledExecutorService clock;
  private final Map<String, ArrayDeque<Work>> lanes = new HashMap<>();
  private final AtomicInteger buffered = new AtomicInteger();

  /**
   * Makes a pool.
   *
   * @param progressed run whenever a record was dealt with
   */
  DeliveryPool(int concurrency, Runnable progressed) {
    this.progressed = progressed;
    AtomicInteger number = new AtomicInteger();
    threads =
        (ThreadPoolExecutor)
            Executors.newFixedThreadPool(
                concurrency, work -> daemon(work, "delivery-" + number.incrementAndGet()));
    clock = Executors.newSingleThreadScheduledExecutor(work -> daemon(work, "delivery-clock"));
  }

  private static Thread daemon(Runnable work, String name) {
    Thread thread = new Thread(work, name);
    thread.setDaemon(true);
    return thread;
  }

  /** Takes a delivery on; attempts it when its lane and a thread are free. */
  void submit(Delivery delivery, Holding holding) {
    Work work = new Work(delivery, holding);
    buffered.incrementAndGet();
    if (work.lane == null || leads(work.lane, work)) {
      execute(work);
    }
  }

  /**
   * How many deliveries are here, whether they run, wait for their lane, or wait for their time.
   */
  int buffered() {
    return buffered.get();
  }

  /** Puts the work into its lane; true if nothing is before it. */
  private boolean leads(String lane, Work work) {
    synchronized (lanes) {
      ArrayDeque<Work> queue = lanes.computeIfAbsent(lane, key -> new ArrayDeque<>(2));
      queue.addLast(work);
      return queue.size() == 1;
    }
  }

  private void execute(Work work) {
    try {
      threads.execute(() -> attempt(work));
    } catch (RejectedExecutionException stopped) {
      // Closed meanwhile: the record stays uncommitted and comes again, here or elsewhere.
      buffered.decrementAndGet();
    }
  }

  private void attempt(Work work) {
    if (!work.holding.begin()) {
      leave(work);
      return;
    }
    Disposition disposition;
    try {
      disposition = attempted(work);
      if (disposition instanceof Disposition.Acknowledged) {
        work.holding.finished();
        progressed.run();
      }
    } finally {
      work.holding.end();
    }
    if (disposition instanceof Disposition.Again again) {
      later(work, again.delay());
    } else {
      leave(work);
    }
  }

  private static Disposition attempted(Work work) {
    try {
      return work.delivery.attempt(work.holding::secured);
    } catch (InterruptedException stopping) {
      return Disposition.again(AFTER_DEFECT);
    } catch (Throwable defect) { // the outermost guard: one bad record must not cost a thread
      // Not its message: that may hold what the record held.
      log.error(
          "a delivery ended in a defect ({} at {}); its record is offered again",
          defect.getClass().getName(),
          defect.getStackTrace().length == 0 ? "?" : defect.getStackTrace()[0]);
      return Disposition.again(AFTER_DEFECT);
    }
  }

  private void later(Work work, Duration delay) {
    try {
      var unused = clock.schedule(() -> execute(work), delay.toMillis(), TimeUnit.MILLISECONDS);
    } catch (RejectedExecutionException stopped) {
      buffered.decrementAndGet();
    }
  }

  /** Gives the lane to whoever waits behind this work. */
  private void leave(Work work) {
    buffered.decrementAndGet();
    if (work.lane == null) {
      return;
    }
    Work next;
    synchronized (lanes) {
      ArrayDeque<Work> queue = lanes.get(work.lane);
      if (queue == null || queue.pollFirst() != work) {
        throw new IllegalStateException("a delivery left a lane that it did not lead");
      }
      next = queue.peekFirst();
      if (next == null) {
        lanes.remove(work.lane);
      }
    }
    if (next != null) {
      execute(next);
    }
  }

  /** Interrupts what runs and forgets what waits. */
  @Override
  public void close() {
    clock.shutdownNow();
    threads.shutdownNow();
  }
}
