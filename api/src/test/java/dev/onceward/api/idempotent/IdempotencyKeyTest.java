package dev.onceward.api.idempotent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("S42")
class IdempotencyKeyTest {

  @ParameterizedTest
  @ValueSource(
      strings = {"a", "8f421c70-0000-7000-8000-000000000001", "A:b/c+d=", "{[(<!#$%&'*>)]}", "~"})
  void a_bare_key_is_taken_as_it_is(String key) {
    assertThat(IdempotencyKey.of(List.of(key)).text()).isEqualTo(key);
  }

  @Test
  void a_quoted_string_means_its_content() {
    assertThat(IdempotencyKey.of(List.of("\"abc\""))).isEqualTo(IdempotencyKey.of(List.of("abc")));
    assertThat(IdempotencyKey.of(List.of("\"a\\\"b\\\\c,d;e\"")).text()).isEqualTo("a\"b\\c,d;e");
  }

  @Test
  void the_limit_is_two_hundred_characters_and_nothing_is_cut() {
    assertThat(IdempotencyKey.of(List.of("k".repeat(200))).text()).hasSize(200);
    assertThat(IdempotencyKey.of(List.of('"' + "k".repeat(200) + '"')).text()).hasSize(200);
    refused("k".repeat(201));
    refused('"' + "k".repeat(201) + '"');
    refused("k".repeat(3_000));
  }

  @Test
  void letter_case_counts() {
    assertThat(IdempotencyKey.of(List.of("Key"))).isNotEqualTo(IdempotencyKey.of(List.of("key")));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "a b",
        " a",
        "a ",
        "a\tb",
        "é",
        "a\u0000",
        "a,b",
        "a;b=1",
        "a\"b",
        "a\\b",
        "\"",
        "\"\"",
        "\"a",
        "\"a\"b",
        "\"a b\"",
        "\"a\";p=1",
        "\"a\", \"b\"",
        "\"é\"",
        "\"\\a\"",
        "\u007f"
      })
  void anything_else_is_refused(String value) {
    refused(value);
  }

  @Test
  void a_missing_header_and_a_repeated_one_have_their_own_answers() {
    assertThatThrownBy(() -> IdempotencyKey.of(List.of()))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.IDEMPOTENCY_KEY_REQUIRED));
    assertThatThrownBy(() -> IdempotencyKey.of(List.of("a", "a")))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.IDEMPOTENCY_KEY_INVALID));
  }

  private static void refused(String value) {
    assertThatThrownBy(() -> IdempotencyKey.of(List.of(value)))
        .isInstanceOfSatisfying(
            ProblemException.class,
            e -> {
              assertThat(e.problem().code()).isEqualTo(ProblemCode.IDEMPOTENCY_KEY_INVALID);
              assertThat(e.problem().field()).isEqualTo("Idempotency-Key");
            });
  }
}
