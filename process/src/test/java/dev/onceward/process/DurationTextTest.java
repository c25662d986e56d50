package dev.onceward.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationTextTest {
  @ParameterizedTest
  @CsvSource({"0s,0", "250ms,250", "10s,10000", "5m,300000", "2h,7200000", "7d,604800000"})
  void the_short_form_is_read_and_written(String text, long millis) {
    assertThat(DurationText.parse(text)).isEqualTo(Duration.ofMillis(millis));
    assertThat(DurationText.format(Duration.ofMillis(millis))).isEqualTo(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "10", "ten", "10 s", "-1s", "1.5s", "10S", "999999999999999d"})
  void anything_else_is_no_duration(String text) {
    assertThat(DurationText.parse(text)).isNull();
  }
}
