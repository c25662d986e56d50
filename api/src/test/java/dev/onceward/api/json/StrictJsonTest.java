package dev.onceward.api.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.onceward.api.json.JsonValue.JsonArray;
import dev.onceward.api.json.JsonValue.JsonNumber;
import dev.onceward.api.json.JsonValue.JsonObject;
import dev.onceward.api.json.JsonValue.JsonString;
import dev.onceward.api.problem.Problem;
import dev.onceward.api.problem.ProblemCode;
import dev.onceward.api.problem.ProblemException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StrictJsonTest {

  @Test
  void values_keep_their_number_text_and_member_order() {
    assertThat(read("{\"b\":[1.0,1e400,-0,12345678901234567890],\"a\":\"\\u00e9\\ud83d\\ude00\"}"))
        .isEqualTo(
            new JsonObject(
                Map.of(
                    "b",
                    new JsonArray(
                        List.of(
                            new JsonNumber("1.0"),
                            new JsonNumber("1e400"),
                            new JsonNumber("-0"),
                            new JsonNumber("12345678901234567890"))),
                    "a",
                    new JsonString("é😀"))));
    assertThat(((JsonObject) read("{\"b\":1,\"a\":2}")).members().keySet())
        .containsExactly("b", "a");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "{\"a\":1,\"a\":2}                | JSON_DUPLICATE_MEMBER   | /a",
        "{\"x\":[{\"a\":1,\"\\u0061\":1}]} | JSON_DUPLICATE_MEMBER   | /x/0/a",
        "{\"a\":\"\\ud800\"}              | JSON_UNPAIRED_SURROGATE | /a",
        "{\"a\":\"\\udc00x\"}             | JSON_UNPAIRED_SURROGATE | /a",
        "[\"\\ud800\\ud800\"]             | JSON_UNPAIRED_SURROGATE | /0",
      })
  void what_two_readers_could_understand_differently_is_refused_with_its_place(
      String body, ProblemCode code, String field) {
    assertThat(refusal(body))
        .extracting(Problem::code, Problem::field)
        .containsExactly(code, field);
  }

  @Test
  void half_a_surrogate_pair_in_a_name_is_refused() {
    // Some releases of the parser see it themselves and call the body malformed.
    assertThat(refusal("{\"\\udfff\":1}").code())
        .isIn(ProblemCode.JSON_UNPAIRED_SURROGATE, ProblemCode.JSON_MALFORMED);
  }

  @Tag("S48")
  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":\"\\u0000\"}",
        "{\"a\":{\"b\":[\"x\\u0000y\"]}}",
        "{\"\\u0000\":1}",
        "\"\\u0000\""
      })
  void a_nul_escape_is_refused_wherever_it_stands(String body) {
    assertThat(refusal(body).code()).isEqualTo(ProblemCode.JSON_NUL_CHARACTER);
  }

  /** S48. */
  @Tag("S48")
  @Test
  void a_backslash_before_u0000_is_harmless_text() {
    assertThat(read("\"\\\\u0000\"")).isEqualTo(new JsonString("\\u0000"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{",
        "}",
        "[1,]",
        "{\"a\"}",
        "{\"a\":1,}",
        "{a:1}",
        "{'a':1}",
        "01",
        "+1",
        ".5",
        "1.",
        "NaN",
        "tru",
        "nulll",
        "\"a",
        "\"\t\"",
        "{} {}",
        "1 2",
        "// x\n1",
        "\"\\x\"",
        "\ufeff{}",
        "\u0000"
      })
  void anything_but_one_json_value_is_refused(String body) {
    assertThat(refusal(body).code()).isEqualTo(ProblemCode.JSON_MALFORMED);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", "\n\t\r "})
  void an_empty_body_is_told_apart_from_a_malformed_one(String body) {
    assertThat(refusal(body).code()).isEqualTo(ProblemCode.BODY_REQUIRED);
  }

  @Test
  void invalid_utf_8_is_refused_overlong_forms_and_encoded_surrogates_too() {
    byte[][] broken = {
      {'"', (byte) 0xff, '"'},
      {'"', (byte) 0xc0, (byte) 0x80, '"'},
      {'"', (byte) 0xed, (byte) 0xa0, (byte) 0x80, '"'},
      {'"', (byte) 0xe2, (byte) 0x82, '"'}
    };
    for (byte[] bytes : broken) {
      assertThatThrownBy(() -> StrictJson.read(bytes))
          .isInstanceOfSatisfying(
              ProblemException.class,
              e -> assertThat(e.problem().code()).isEqualTo(ProblemCode.JSON_MALFORMED));
    }
  }

  /** S49. */
  @Tag("S49")
  @Test
  void nesting_is_bounded_and_a_hundred_thousand_brackets_do_no_harm() {
    int most = StrictJson.MAX_DEPTH;
    assertThat(read("[".repeat(most) + "]".repeat(most))).isInstanceOf(JsonArray.class);
    for (int depth : new int[] {most + 1, 900, 100_000}) {
      assertThat(refusal("[".repeat(depth) + "]".repeat(depth)).code())
          .isEqualTo(ProblemCode.JSON_TOO_DEEP);
      assertThat(refusal("{\"a\":".repeat(depth) + "1" + "}".repeat(depth)).code())
          .isEqualTo(ProblemCode.JSON_TOO_DEEP);
    }
  }

  @Test
  void a_number_may_be_long_but_not_endless() {
    String longest = "1".repeat(StrictJson.MAX_NUMBER_CHARACTERS);
    assertThat(read(longest)).isEqualTo(new JsonNumber(longest));
    assertThat(refusal(longest + "1").code()).isEqualTo(ProblemCode.JSON_MALFORMED);
  }

  @Test
  void a_refusal_never_repeats_the_body() {
    assertThat(refusal("{\"app_secret\": hush-hush}").detail()).doesNotContain("hush");
  }

  private static JsonValue read(String body) {
    return StrictJson.read(body.getBytes(StandardCharsets.UTF_8));
  }

  private static Problem refusal(String body) {
    try {
      JsonValue value = read(body);
      throw new AssertionError("accepted as " + value);
    } catch (ProblemException e) {
      return e.problem();
    }
  }
}
