package dev.onceward.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class RawJsonTest {
  @Test
  void a_later_change_of_the_array_does_not_reach_the_value() {
    byte[] bytes = "[1]".getBytes(StandardCharsets.UTF_8);
    RawJson json = RawJson.copyOf(bytes);
    bytes[1] = '2';
    json.toBytes()[1] = '3';

    assertThat(json.text()).isEqualTo("[1]");
    assertThat(json).isEqualTo(RawJson.of("[1]")).hasSameHashCodeAs(RawJson.of("[1]"));
    assertThat(json.sizeBytes()).isEqualTo(3);
  }

  @Test
  void text_without_a_utf_8_form_is_refused() {
    assertThatThrownBy(() -> RawJson.of("\"\uD83D\""))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("index 1");
    assertThatThrownBy(() -> RawJson.of("\"\uDE00\uD83D\""))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> RawJson.of("")).isInstanceOf(IllegalArgumentException.class);
    assertThat(RawJson.of("\"\uD83D\uDE00\"").sizeBytes()).isEqualTo(6);
  }
}
