package dev.onceward.ops.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.ops.audit.AggregateOrder.Order;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.Test;

final class AggregateOrderTest {

  private static final long NOW = 1_790_000_000_000L;

  private final OutboxPortion portion = new OutboxPortion(1_000);
  private final AggregateOrder order = new AggregateOrder(portion);

  @Test
  void within_a_transaction_the_order_is_that_of_its_commands() {
    int first = row(1, 7, 100, 0, 0, 1);
    int second = row(2, 7, 100, 0, 0, 2);

    assertThat(order.next(0, second).order()).isEqualTo(Order.RIGHT);
    AggregateOrder.Compared late = order.next(0, first);
    assertThat(late.order()).isEqualTo(Order.WRONG);
    assertThat(late.earlierRow()).isEqualTo(second);
  }

  @Test
  void between_transactions_it_is_that_of_their_commits_and_not_of_their_numbers() {
    int numberedFirst = row(1, 7, 100, 9_000_000, 0, 1);
    int committedFirst = row(2, 7, 101, 5_000_000, 0, 1);
    int together = row(3, 7, 102, 8_999_000, 0, 1);

    assertThat(order.next(0, committedFirst).order()).isEqualTo(Order.RIGHT);
    assertThat(order.next(0, numberedFirst).order()).isEqualTo(Order.RIGHT);
    assertThat(order.next(0, together).order()).isEqualTo(Order.UNKNOWN);
    assertThat(order.next(1, numberedFirst).order()).isEqualTo(Order.RIGHT);
    assertThat(order.next(1, committedFirst).order()).isEqualTo(Order.WRONG);
  }

  @Test
  void without_commit_times_only_transactions_far_apart_are_judged() {
    int first = row(1, 7, 100, 0, 0, 1);
    int soonAfter = row(2, 7, 101, 0, 5_000, 1);
    int longAfter = row(3, 7, 102, 0, 60_000, 1);

    assertThat(order.next(0, soonAfter).order()).isEqualTo(Order.RIGHT);
    assertThat(order.next(0, first).order()).isEqualTo(Order.UNKNOWN);
    assertThat(order.next(0, longAfter).order()).isEqualTo(Order.RIGHT);
    assertThat(order.next(0, first).order()).isEqualTo(Order.WRONG);
  }

  @Test
  void aggregates_and_partitions_do_not_mix_however_many_there_are() {
    for (int aggregate = 0; aggregate < 1_000; aggregate++) {
      row(aggregate, aggregate, 10_000 - aggregate, 0, Duration.ofDays(1).toMillis(), 1);
    }
    for (int row = 0; row < 1_000; row++) {
      assertThat(order.next(0, row).order()).isEqualTo(Order.RIGHT);
      assertThat(order.next(1, row).earlierRow()).isEqualTo(-1);
    }
    assertThat(portion.isFull()).isTrue();
    assertThat(portion.find(portion.id(777))).isEqualTo(777);
    assertThat(portion.find(UUID.randomUUID())).isEqualTo(-1);
  }

  private int row(
      int number, long aggregate, long xid, long committed, long startedAfterMillis, int command) {
    portion.add(
        new OutboxPortion.Row(
            new UUID(NOW << 16 | 0x7000, number),
            aggregate,
            xid,
            committed,
            NOW + startedAfterMillis,
            command,
            0));
    return portion.size() - 1;
  }
}
