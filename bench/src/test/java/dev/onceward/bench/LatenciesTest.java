package dev.onceward.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class LatenciesTest {

  @Test
  void percentiles_are_the_nearest_rank_of_the_sorted_values() {
    long[] hundred = LongStream.rangeClosed(1, 100).map(ms -> (101 - ms) * 1_000_000).toArray();
    Latencies latencies = new Latencies(hundred);

    assertThat(latencies.percentileMillis(0.50)).isEqualTo(50.0);
    assertThat(latencies.percentileMillis(0.99)).isEqualTo(99.0);
    assertThat(latencies.percentileMillis(0.991)).isEqualTo(100.0);
    assertThat(latencies.maxMillis()).isEqualTo(100.0);
  }

  @Test
  void one_value_is_every_percentile() {
    assertThat(new Latencies(new long[] {2_500_000}).percentileMillis(0.01)).isEqualTo(2.5);
  }

  @Test
  void nothing_measured_is_no_result() {
    assertThatThrownBy(() -> new Latencies(new long[0])).hasMessageContaining("no latencies");
    assertThatThrownBy(() -> new Latencies(new long[] {1}).percentileMillis(0))
        .hasMessageContaining("share is 0");
  }
}
