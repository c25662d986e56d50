package dev.onceward.worker.consume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class DeliveryPoolTest {

  private static final int CONCURRENCY = 4;

  private final DeliveryPool pool = new DeliveryPool(CONCURRENCY, () -> {});
  private final PartitionProgress progress = new PartitionProgress();
  private long nextTopicOffset;

  @AfterEach
  void close() {
    pool.close();
  }

  private interface Attempt {
    Disposition make() throws InterruptedException;
  }

  private void submit(@Nullable String lane, Attempt attempt) {
    submit(progress, lane, attempt);
  }

  private void submit(PartitionProgress to, @Nullable String lane, Attempt attempt) {
    pool.submit(
        new Delivery() {
          @Override
          public @Nullable String lane() {
            return lane;
          }

          @Override
          public Disposition attempt(Runnable secured) throws InterruptedException {
            return attempt.make();
          }
        },
        to.arrived(nextTopicOffset++, 0));
  }

  private void awaitEmpty() {
    await().until(() -> pool.buffered() == 0);
  }

  @Test
  void a_lane_keeps_its_order_while_lanes_overlap() {
    Map<String, List<Integer>> seen = new ConcurrentHashMap<>();
    Map<String, AtomicInteger> inLane = new ConcurrentHashMap<>();
    AtomicInteger atOnce = new AtomicInteger();
    AtomicInteger mostAtOnce = new AtomicInteger();
    AtomicInteger overlaps = new AtomicInteger();
    for (int number = 0; number < 5_000; number++) {
      String lane = "lane-" + number % 7;
      int order = number;
      submit(
          lane,
          () -> {
            if (inLane.computeIfAbsent(lane, key -> new AtomicInteger()).incrementAndGet() > 1) {
              overlaps.incrementAndGet();
            }
            mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
            seen.computeIfAbsent(lane, key -> new CopyOnWriteArrayList<>()).add(order);
            atOnce.decrementAndGet();
            inLane.get(lane).decrementAndGet();
            return Disposition.ACKNOWLEDGED;
          });
    }
    awaitEmpty();

    assertThat(overlaps).hasValue(0);
    assertThat(mostAtOnce.get()).isBetween(2, CONCURRENCY);
    assertThat(seen).hasSize(7);
    seen.values().forEach(orders -> assertThat(orders).isSorted());
    assertThat(seen.values().stream().mapToInt(List::size).sum()).isEqualTo(5_000);
    assertThat(progress.toCommit()).hasValue(5_000);
  }

  @Test
  void a_delivery_that_waits_for_its_time_holds_its_lane_but_no_thread() throws Exception {
    List<String> seen = new CopyOnWriteArrayList<>();
    CountDownLatch othersDone = new CountDownLatch(100);
    submit(
        "slow",
        () -> {
          seen.add("first");
          return othersDone.getCount() == 0
              ? Disposition.ACKNOWLEDGED
              : Disposition.again(Duration.ofMillis(20));
        });
    submit(
        "slow",
        () -> {
          seen.add("second");
          return Disposition.ACKNOWLEDGED;
        });
    IntStream.range(0, 100)
        .forEach(
            number ->
                submit(
                    "other-" + number,
                    () -> {
                      othersDone.countDown();
                      return Disposition.ACKNOWLEDGED;
                    }));

    assertThat(othersDone.await(10, TimeUnit.SECONDS)).isTrue();
    awaitEmpty();
    assertThat(seen).endsWith("second");
    assertThat(seen.stream().filter("second"::equals)).hasSize(1);
    assertThat(progress.toCommit()).hasValue(102);
  }

  @Test
  void a_defect_in_one_delivery_costs_neither_the_record_nor_the_lane_nor_the_thread() {
    AtomicInteger attempts = new AtomicInteger();
    for (int number = 0; number < 2 * CONCURRENCY; number++) {
      submit(
          "lane-" + number % 2,
          () -> {
            if (attempts.incrementAndGet() <= CONCURRENCY) {
              throw new AssertionError("a defect");
            }
            return Disposition.ACKNOWLEDGED;
          });
    }
    awaitEmpty();
    assertThat(attempts.get()).isGreaterThan(2 * CONCURRENCY);
    assertThat(progress.toCommit()).hasValue(2 * CONCURRENCY);
  }

  @Test
  void what_waits_for_a_released_partition_is_forgotten_and_its_lane_goes_on() throws Exception {
    PartitionProgress leaving = new PartitionProgress();
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicInteger forgotten = new AtomicInteger();
    submit(
        leaving,
        "lane",
        () -> {
          running.countDown();
          mayEnd.await();
          return Disposition.ACKNOWLEDGED;
        });
    for (int number = 0; number < 10; number++) {
      submit(
          leaving,
          "lane",
          () -> {
            forgotten.incrementAndGet();
            return Disposition.ACKNOWLEDGED;
          });
    }
    CountDownLatch stays = new CountDownLatch(1);
    submit(
        "lane",
        () -> {
          stays.countDown();
          return Disposition.ACKNOWLEDGED;
        });
    running.await();
    leaving.release();
    mayEnd.countDown();

    assertThat(stays.await(10, TimeUnit.SECONDS)).isTrue();
    awaitEmpty();
    assertThat(forgotten).hasValue(0);
    assertThat(leaving.toCommit()).as("the first of eleven was done").hasValue(1);
  }
}
