package dev.onceward.relay.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.onceward.db.UuidV7;
import dev.onceward.db.relay.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.LongStream;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

/** What the ledger does beyond its limit. */
class DeliveryLedgerTest {
  private static final TopicPartition PARTITION = new TopicPartition("t", 0);

  private final List<UUID> ids = new ArrayList<>();

  @Test
  void within_the_limit_every_event_is_remembered() {
    DeliveryLedger ledger = ledger(220);
    deliver(ledger, 20);
    ledger.keepWithinLimit(snapshot(120), snapshot(120));
    assertThat(ledger.remembered()).isEqualTo(20);
    assertThat(ledger.hasForgotten()).isFalse();
    assertThat(ledger.holds(100, ids.get(0))).isTrue();
  }

  @Test
  void beyond_it_those_that_the_audit_is_to_see_are_a_stretch_until_it_has() {
    DeliveryLedger ledger = ledger(100);
    deliver(ledger, 20);
    ledger.keepWithinLimit(snapshot(116), snapshot(130));

    assertThat(ledger.remembered()).isEqualTo(4);
    assertThat(ledger.holds(115, ids.get(15))).isFalse();
    assertThat(ledger.strike(115, ids.get(15))).isFalse();
    assertThat(ledger.holds(116, ids.get(16))).isTrue();
    assertThat(ledger.forgotten())
        .containsExactly(
            new Stretch(
                100, 115, snapshot(116), List.of(), Map.of(PARTITION, 0L), Map.of(PARTITION, 20L)));
    assertThat(ledger.positions().offset(PARTITION)).isZero();

    ledger.forget(snapshot(115));
    assertThat(ledger.positions().offset(PARTITION)).as("not all of it is audited").isZero();
    ledger.forget(Snapshot.parse("103:120:103"));
    assertThat(ledger.hasForgotten()).as("one of it was still running").isTrue();
    ledger.forget(snapshot(116));
    assertThat(ledger.hasForgotten()).isFalse();
    assertThat(ledger.positions().offset(PARTITION)).isEqualTo(20);
  }

  @Test
  void if_that_is_not_enough_all_of_them_are() {
    DeliveryLedger ledger = ledger(100);
    deliver(ledger, 20);
    ledger.keepWithinLimit(Snapshot.NOTHING, snapshot(110));

    assertThat(ledger.remembered()).isZero();
    assertThat(ledger.forgotten())
        .singleElement()
        .satisfies(
            stretch ->
                assertThat(stretch.unseen())
                    .containsExactlyInAnyOrderElementsOf(
                        LongStream.range(110, 120).boxed().toList()));
    ledger.forget(snapshot(119));
    assertThat(ledger.hasForgotten()).isTrue();
    assertThat(ledger.positions().offset(PARTITION)).isZero();
    ledger.forget(snapshot(120));
    assertThat(ledger.hasForgotten()).isFalse();
  }

  @Test
  void a_long_backlog_stays_within_the_limit_and_is_looked_for_in_parts() {
    DeliveryLedger ledger = ledger(1_000);
    for (int i = 0; i < 100_000; i++) {
      ledger.acknowledged(100 + i, UuidV7.next(), PARTITION, i);
      ledger.keepWithinLimit(Snapshot.NOTHING, snapshot(200_000));
      assertThat(ledger.remembered()).isLessThanOrEqualTo(1_000 / 11);
    }
    List<Stretch> stretches = ledger.forgotten();
    assertThat(stretches).hasSizeBetween(64, 128);
    long covered = 0;
    for (Stretch stretch : stretches) {
      assertThat(stretch.starts()).containsEntry(PARTITION, covered);
      assertThat(stretch.lowestXid()).isEqualTo(100 + covered);
      covered = stretch.ends().getOrDefault(PARTITION, 0L);
    }
    assertThat(covered + ledger.remembered()).isEqualTo(100_000);
    assertThat(ledger.positions().offset(PARTITION)).isZero();
    ledger.forget(snapshot(200_000));
    assertThat(ledger.positions().offset(PARTITION)).isEqualTo(100_000);
  }

  @Test
  void a_parked_event_that_was_forgotten_is_remembered_once_it_is_sent() {
    DeliveryLedger ledger = ledger(10);
    UUID id = UuidV7.next();
    ledger.parked(100, id);
    ledger.keepWithinLimit(snapshot(110), snapshot(110));
    assertThat(ledger.holds(100, id)).isFalse();
    ledger.parkedDelivered(100, id, PARTITION, 5);
    assertThat(ledger.holds(100, id)).isTrue();
    assertThat(ledger.positions().offset(PARTITION)).isEqualTo(5);
    assertThat(ledger.forget(snapshot(110))).as("no row need come for it").isZero();
  }

  @Test
  void of_a_long_tail_the_newest_is_held_and_the_rest_is_a_stretch() {
    TopicPartition shorter = new TopicPartition("t", 1);
    TopicPartition empty = new TopicPartition("t", 2);
    Map<TopicPartition, Long> starts = Map.of(PARTITION, 1_000L, shorter, 5L, empty, 9L);
    Map<TopicPartition, Long> ends = Map.of(PARTITION, 9_000L, shorter, 15L, empty, 9L);

    Map<TopicPartition, Long> newest = KnownEvents.newest(starts, ends, 100);
    assertThat(newest).isEqualTo(Map.of(PARTITION, 8_910L, shorter, 5L, empty, 9L));
    assertThat(KnownEvents.newest(starts, ends, 100_000)).isEqualTo(starts);

    KafkaPositions positions = new KafkaPositions("c", Map.of("t", "id"), ends);
    DeliveryLedger ledger =
        new DeliveryLedger(new KnownEvents(new EventIds(), newest, starts, positions), 100);
    assertThat(ledger.forgotten()).containsExactly(Stretch.ofAny(starts, newest));
    assertThat(ledger.positions().offset(PARTITION)).isEqualTo(1_000);
    ledger.forget(Snapshot.parse("10:20:10"));
    assertThat(ledger.hasForgotten()).as("one of it may still be running").isTrue();
    ledger.forget(snapshot(20));
    assertThat(ledger.hasForgotten()).isFalse();
    assertThat(ledger.positions().offset(PARTITION)).isEqualTo(9_000);
  }

  /** One event each of the transactions from 100, at the offsets from 0. */
  private void deliver(DeliveryLedger ledger, int transactions) {
    for (int i = 0; i < transactions; i++) {
      ids.add(UuidV7.next());
      ledger.acknowledged(100 + i, ids.get(i), PARTITION, i);
    }
  }

  private static Snapshot snapshot(long xmax) {
    return Snapshot.parse(xmax + ":" + xmax + ":");
  }

  /** One that knows of nothing that Kafka held before. */
  private static DeliveryLedger ledger(int limit) {
    Map<TopicPartition, Long> none = Map.of(PARTITION, 0L);
    DeliveryLedger ledger =
        new DeliveryLedger(
            new KnownEvents(
                new EventIds(), none, none, new KafkaPositions("c", Map.of("t", "id"), none)),
            limit);
    ledger.forget(snapshot(1));
    return ledger;
  }
}
