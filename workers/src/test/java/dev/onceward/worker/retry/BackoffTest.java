package dev.onceward.worker.retry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class BackoffTest {

  private final Random random = new Random(7);

  @Test
  void the_wait_doubles_up_to_its_cap() {
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10), 0);
    assertThat(IntStream.rangeClosed(1, 12).mapToObj(attempt -> backoff.after(attempt, random)))
        .extracting(Duration::toSeconds)
        .containsExactly(1L, 2L, 4L, 8L, 16L, 32L, 64L, 128L, 256L, 512L, 600L, 600L);
  }

  @Test
  void the_spread_stays_inside_its_share_and_uses_both_sides() {
    Backoff backoff = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(10), 0.2);
    var waits =
        IntStream.range(0, 1_000).mapToObj(number -> backoff.after(1, random).toMillis()).toList();
    assertThat(waits).allMatch(millis -> millis >= 8_000 && millis <= 12_000);
    assertThat(waits).anyMatch(millis -> millis < 8_500).anyMatch(millis -> millis > 11_500);
  }

  @Test
  void the_largest_attempt_number_waits_no_longer_than_the_cap() {
    Backoff backoff = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(10), 0);
    assertThat(backoff.after(Integer.MAX_VALUE, random)).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void nonsense_is_refused() {
    assertThatThrownBy(() -> new Backoff(Duration.ZERO, Duration.ofSeconds(1), 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(1), 0))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(1), Double.NaN))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
