package dev.onceward.ops.console.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SignInThrottleTest {
  private final AtomicLong nanos = new AtomicLong(Long.MAX_VALUE - 5_000_000_000L);
  private final SignInThrottle throttle = new SignInThrottle(nanos::get);

  @Test
  void each_failure_doubles_the_wait_up_to_half_a_minute() {
    fail(2);
    assertThat(throttle.waitOf("here")).isZero();
    fail(1);
    assertThat(throttle.waitOf("here")).isEqualTo(Duration.ofSeconds(1));
    fail(2);
    assertThat(throttle.waitOf("here")).isEqualTo(Duration.ofSeconds(4));
    fail(20);
    assertThat(throttle.waitOf("here")).isEqualTo(Duration.ofSeconds(30));
    pass(Duration.ofSeconds(12));
    assertThat(throttle.waitOf("here")).isEqualTo(Duration.ofSeconds(18));
    pass(Duration.ofSeconds(19));
    assertThat(throttle.waitOf("here")).isZero();
  }

  @Test
  void another_address_does_not_wait_and_a_success_is_forgiven() {
    fail(9);
    assertThat(throttle.waitOf("there")).isZero();
    throttle.succeeded("here");
    assertThat(throttle.waitOf("here")).isZero();
  }

  private void fail(int times) {
    for (int i = 0; i < times; i++) {
      throttle.failed("here");
    }
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
