package dev.onceward.api.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.erdtman.jcs.JsonCanonicalizer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class CanonicalJsonTest {

  /** S43. */
  @Tag("S43")
  @Test
  void member_order_and_white_space_do_not_matter_but_array_order_does() {
    assertThat(canonical("{ \"b\":[1,2],\n \"a\":1 }"))
        .isEqualTo(canonical("{\"a\":1,\"b\":[1,2]}"));
    assertThat(canonical("{\"a\":1,\"b\":[2,1]}")).isNotEqualTo(canonical("{\"a\":1,\"b\":[1,2]}"));
  }

  @Test
  void numbers_keep_their_text() {
    assertThat(canonical("[1.0, 1, 1e0, 1E0, 9007199254740993, 1e400]"))
        .isEqualTo("[1.0,1,1e0,1E0,9007199254740993,1e400]");
  }

  @Test
  void names_are_ordered_by_utf_16_code_units() throws IOException {
    // U+FB33 is below U+1F600 as a code point, above its first surrogate as a code unit.
    String body = "{\"\ufb33\":1,\"\ud83d\ude00\":2,\"\\u20ac\":3,\"\\r\":4,\"1\":5,\"\u0080\":6}";
    assertThat(canonical(body)).isEqualTo(new JsonCanonicalizer(body).getEncodedString());
  }

  @Test
  void without_great_numbers_the_form_is_that_of_rfc_8785() throws IOException {
    Random random = new Random(8785);
    for (int i = 0; i < 2_000; i++) {
      String body = "{\"x\":" + randomValue(random, 0) + "}";
      assertThat(canonical(body)).isEqualTo(new JsonCanonicalizer(body).getEncodedString());
    }
  }

  private static String canonical(String body) {
    return CanonicalJson.write(StrictJson.read(body.getBytes(StandardCharsets.UTF_8)));
  }

  private static String randomValue(Random random, int depth) {
    int kind = random.nextInt(depth > 4 ? 4 : 6);
    StringBuilder out = new StringBuilder();
    switch (kind) {
      case 0 -> out.append(random.nextInt());
      case 1 -> out.append(randomString(random));
      case 2 -> out.append(random.nextBoolean());
      case 3 -> out.append("null");
      case 4 -> {
        out.append('[');
        for (int i = random.nextInt(4); i > 0; i--) {
          out.append(randomValue(random, depth + 1)).append(i > 1 ? " , " : " ");
        }
        out.append(']');
      }
      default -> {
        out.append('{');
        for (int i = random.nextInt(5); i > 0; i--) {
          String name = randomString(random);
          out.append(name, 0, name.length() - 1).append(i).append("\" :");
          out.append(randomValue(random, depth + 1)).append(i > 1 ? "\n," : "");
        }
        out.append('}');
      }
    }
    return out.toString();
  }

  private static String randomString(Random random) {
    StringBuilder out = new StringBuilder("\"");
    for (int i = random.nextInt(6); i > 0; i--) {
      switch (random.nextInt(5)) {
        case 0 ->
            out.append(String.format(java.util.Locale.ROOT, "\\u%04x", 1 + random.nextInt(0x7fff)));
        case 1 -> out.append("\\").append("bfnrt\"\\/".charAt(random.nextInt(8)));
        case 2 -> out.appendCodePoint(0x1f600 + random.nextInt(50));
        case 3 -> out.append((char) (0xe000 + random.nextInt(0x1000)));
        default -> out.append((char) ('a' + random.nextInt(26)));
      }
    }
    return out.append('"').toString();
  }
}
