package dev.onceward.local.torture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class HonestyCheckTest {

  private static final Duration BOUND = Duration.ofSeconds(12);

  private final Outage outage =
      new Outage("kafka", FaultKind.FREEZE, Instant.EPOCH, Instant.ofEpochSecond(20));

  @Test
  void an_outage_that_is_reported_within_the_bound_is_reported() {
    HonestyResult result = check(sample("relay", 8, true), sample("relay", 13, false));

    assertThat(result).isEqualTo(new HonestyResult(1, Duration.ofSeconds(8), Finding.NONE));
  }

  @Test
  void who_says_ready_beyond_the_bound_is_found() {
    HonestyResult result =
        check(sample("relay", 10, false), sample("relay", 13, true), sample("relay", 14, false));

    assertThat(result.dishonest().count()).isOne();
    assertThat(result.dishonest().examples()).singleElement().asString().contains("relay", "kafka");
  }

  @Test
  void who_does_not_need_what_is_away_may_go_on() {
    assertThat(check(sample("api", 13, true)).dishonest()).isEqualTo(Finding.NONE);
  }

  @Test
  void a_cut_network_concerns_the_process_behind_it_and_a_slow_one_nobody() {
    HealthSample ready = sample("api", 13, true);

    assertThat(network("api-database", FaultKind.BLACK_HOLE, ready).dishonest().count()).isOne();
    assertThat(network("workers-database", FaultKind.BLACK_HOLE, ready).dishonest().count())
        .isZero();
    assertThat(network("api-database", FaultKind.SLOW, ready).outages()).isZero();
  }

  private static HonestyResult network(String part, FaultKind kind, HealthSample sample) {
    Outage cut = new Outage(part, kind, Instant.EPOCH, Instant.ofEpochSecond(20));
    return HonestyCheck.check(List.of(cut), List.of(sample), BOUND);
  }

  @Test
  void an_answer_that_came_after_the_repair_counts_no_more() {
    HealthSample late =
        new HealthSample("relay", Instant.ofEpochSecond(19), Instant.ofEpochSecond(21), true);

    assertThat(check(late).dishonest()).isEqualTo(Finding.NONE);
  }

  @Test
  void an_outage_shorter_than_the_bound_is_not_judged() {
    Outage shortOne = new Outage("kafka", FaultKind.KILL, Instant.EPOCH, Instant.ofEpochSecond(11));

    assertThat(HonestyCheck.check(List.of(shortOne), List.of(), BOUND).outages()).isZero();
  }

  private HonestyResult check(HealthSample... samples) {
    return HonestyCheck.check(List.of(outage), List.of(samples), BOUND);
  }

  private static HealthSample sample(String service, int second, boolean ready) {
    Instant at = Instant.ofEpochSecond(second);
    return new HealthSample(service, at, at, ready);
  }
}
