package dev.onceward.ops.deadletter;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CauseTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "The platform answered 503 after 20.5 s|The platform answered <n> after <n> s",
        "no store 019c2f0e-7a50-7c11-9d3e-0b5a4f6c1d22 there|no store <id> there",
        "topic \"onceward.store\" is missing|topic <value> is missing",
        "the shop's key 'abc' isn't valid|the shop's key <value> isn't valid",
        "GET https://shop-42.example.com/a?b=1 failed|GET <address> failed",
        "request 7fa31b99c0de of 2026-01-31T12:00:00.5Z|request <id> of <time>",
        "two   lines|two lines",
        "timeout|timeout"
      })
  void what_differs_between_failures_of_a_kind_is_taken_out(String summary, String normalised) {
    assertThat(Cause.normalised(summary)).isEqualTo(normalised);
  }

  @Test
  void a_group_id_depends_on_the_cause_alone_and_never_changes() {
    Cause cause = Cause.of("thing.made", "PLATFORM_AWAY", "answered 503");
    assertThat(cause.groupId())
        .isEqualTo(Cause.of("thing.made", "PLATFORM_AWAY", "answered 502").groupId());
    // Operators keep ids in tickets: another release must give the same.
    assertThat(cause.groupId()).isEqualTo("bd64224d");
    assertThat(Cause.of("thing.made", "OTHER", "answered 503").groupId())
        .isNotEqualTo(cause.groupId());
    assertThat(Cause.of("other.made", "PLATFORM_AWAY", "answered 503").groupId())
        .isNotEqualTo(cause.groupId());
    assertThat(Cause.of(null, "PLATFORM_AWAY", null).eventType()).isEqualTo("-");
  }
}
