package dev.onceward.embedded.junit;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

class NeededTest {

  @Test
  void what_is_missing_skips_a_test_and_fails_the_build() {
    assertThatThrownBy(() -> Needed.require(false, "a browser", false))
        .hasSameClassAs(skipped())
        .hasMessageContaining("a browser");
    assertThatThrownBy(() -> Needed.require(false, "a browser", true))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("a browser");
  }

  @Test
  void what_is_there_lets_the_test_run_anywhere() {
    assertThatCode(
            () -> {
              Needed.require(true, "a browser", false);
              Needed.require(true, "a browser", true);
            })
        .doesNotThrowAnyException();
  }

  private static Throwable skipped() {
    return catchThrowable(() -> Assumptions.abort());
  }
}
