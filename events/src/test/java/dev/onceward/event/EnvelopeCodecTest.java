package dev.onceward.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnvelopeCodecTest {
  private static final UUID EVENT = UUID.fromString("0193779f-0c04-7abc-8def-0123456789ab");
  private static final UUID WORKSPACE = UUID.fromString("0193779f-0c00-7000-8000-000000000001");
  private static final Instant OCCURRED_AT = Instant.parse("2024-11-29T09:00:00Z");

  private static final String MINIMAL =
      """
      {"event_id":"0193779f-0c04-7abc-8def-0123456789ab","event_type":"order.placed",\
      "payload_version":1,"workspace_id":"0193779f-0c00-7000-8000-000000000001",\
      "aggregate_type":"order","aggregate_id":"7","resource_type":"order","resource_id":"7",\
      "occurred_at":"2024-11-29T09:00:00.000Z","payload":{}}""";

  @Test
  void an_envelope_without_optional_members_has_exactly_this_text() {
    assertThat(text(EnvelopeCodec.encode(minimal("{}")))).isEqualTo(MINIMAL);
  }

  @Test
  void every_member_survives_encoding_and_decoding() throws Exception {
    Envelope envelope =
        new Envelope(
            EVENT,
            "store.credentials_submitted",
            3,
            WORKSPACE,
            "store",
            "магазин \"7\" \\ 😀 \u0001\u2028",
            "store",
            "r/7",
            "key",
            "request",
            "correlation",
            OCCURRED_AT.plusMillis(7),
            RawJson.of("[1]"));

    assertThat(EnvelopeCodec.decode(EnvelopeCodec.encode(envelope))).isEqualTo(envelope);
  }

  /** The time is written by hand, for speed; the library's formatter says what is right. */
  @Test
  void the_time_has_three_digits_of_fraction_in_every_year() {
    DateTimeFormatter right = new DateTimeFormatterBuilder().appendInstant(3).toFormatter();
    List<Instant> times =
        new ArrayList<>(
            List.of(
                Instant.EPOCH,
                Instant.EPOCH.minusNanos(1),
                Instant.parse("0000-01-01T00:00:00Z"),
                Instant.parse("-0001-12-31T23:59:59.999Z"),
                Instant.parse("2024-02-29T23:59:59.999999999Z"),
                Instant.parse("9999-12-31T23:59:59.999Z"),
                Instant.parse("+10000-01-01T00:00:00Z")));
    Random random = new Random(9);
    for (int i = 0; i < 2_000; i++) {
      times.add(Instant.ofEpochMilli(random.nextLong() >> 18));
    }

    for (Instant time : times) {
      Envelope envelope =
          new Envelope(
              EVENT,
              "a.b",
              1,
              WORKSPACE,
              "a",
              "1",
              "a",
              "1",
              null,
              null,
              null,
              time,
              RawJson.of("1"));
      assertThat(text(EnvelopeCodec.encode(envelope)))
          .contains("\"occurred_at\":\"" + right.format(time) + "\",");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "~", " ", "plain", "a\"b", "\\", "\u007f", "é", "plain, then 😀", "\n"})
  void a_text_is_written_plain_or_escaped(String text) throws Exception {
    Envelope envelope =
        new Envelope(
            EVENT,
            "a.b",
            1,
            WORKSPACE,
            "a",
            "x" + text.repeat(700),
            "a",
            "1",
            text,
            null,
            null,
            OCCURRED_AT,
            RawJson.of("1"));

    byte[] encoded = EnvelopeCodec.encode(envelope);

    assertThat(EnvelopeCodec.decode(encoded)).isEqualTo(envelope);
    assertThat(text(encoded))
        .contains(
            "\"business_key\":\""
                + new String(JsonStringEncoder.getInstance().quoteAsString(text))
                + "\"");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "\"text with \\\" } ] and \\u0000\"",
        "0",
        "-12.50e+3",
        "true",
        "false",
        "1e999999999",
        "123456789012345678901234567890.000",
        "{ \"b\" : [ 1 , \"x\" , null ] ,\n\t\"a\":{\"\":{\"a.b c\":1.0}}, \"b\": 2 }",
        "\"Юникод é 😀\"",
        "{\"event_id\":\"of the payload\",\"payload\":[{\"payload\":1}]}"
      })
  void a_payload_comes_back_byte_for_byte(String payload) throws Exception {
    assertThat(EnvelopeCodec.decode(EnvelopeCodec.encode(minimal(payload))).payload().text())
        .isEqualTo(payload);
  }

  @Test
  void the_bytes_around_a_payload_do_not_belong_to_it() throws Exception {
    String spaced = "\n " + MINIMAL.replace("{}}", "\t 1.50 \n} \r\n");
    String first = "{\"payload\" :\"x\" ," + MINIMAL.substring(1).replace(",\"payload\":{}", "");

    assertThat(EnvelopeCodec.decode(bytes(spaced)).payload().text()).isEqualTo("1.50");
    assertThat(EnvelopeCodec.decode(bytes(first)).payload().text()).isEqualTo("\"x\"");
  }

  @ParameterizedTest
  @ValueSource(ints = {5_000, 100_000})
  void deep_nesting_is_read_on_a_small_stack(int depth) throws Exception {
    String arrays = "[".repeat(depth) + "]".repeat(depth);
    String objects = "{\"a\":".repeat(depth) + "1" + "}".repeat(depth);
    byte[] known = EnvelopeCodec.encode(minimal(arrays));
    byte[] unknown = bytes("{\"later\":" + objects + "," + MINIMAL.substring(1));
    RawJson[] read = new RawJson[2];

    Thread reader =
        new Thread(
            null,
            () -> {
              read[0] = decoded(known).payload();
              read[1] = decoded(unknown).payload();
            },
            "small-stack",
            128 * 1024);
    reader.start();
    reader.join();

    assertThat(read[0]).isEqualTo(RawJson.of(arrays));
    assertThat(read[1]).isEqualTo(RawJson.of("{}"));
  }

  @Test
  void long_numbers_names_and_strings_have_no_limit() throws Exception {
    String payload =
        "{\""
            + "n".repeat(60_000)
            + "\":"
            + "9".repeat(5_000)
            + ",\"s\":\""
            + "x".repeat(21_000_000)
            + "\"}";

    assertThat(EnvelopeCodec.decode(EnvelopeCodec.encode(minimal(payload))).payload())
        .isEqualTo(RawJson.of(payload));
  }

  @Test
  void unknown_members_are_ignored_wherever_they_stand() throws Exception {
    String value =
        "{\"x\":{\"event_id\":1},"
            + MINIMAL.substring(1, MINIMAL.length() - 1)
            + ",\"y\":[[]],\"y\":2}";

    assertThat(EnvelopeCodec.decode(bytes(value))).isEqualTo(minimal("{}"));
  }

  @Test
  void an_optional_member_may_be_null() throws Exception {
    String value = "{\"business_key\":null," + MINIMAL.substring(1);

    assertThat(EnvelopeCodec.decode(bytes(value)).businessKey()).isNull();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "event_id",
        "event_type",
        "payload_version",
        "workspace_id",
        "aggregate_type",
        "aggregate_id",
        "resource_type",
        "resource_id",
        "occurred_at",
        "payload"
      })
  void a_member_that_is_absent_or_twice_there_is_named(String member) {
    String absent = MINIMAL.replace("\"" + member + "\":", "\"other\":");
    String twice = "{\"" + member + "\":null," + MINIMAL.substring(1);

    UndecodableRecordException missing = undecodable(bytes(absent));
    assertThat(missing.reason()).isEqualTo(UndecodableReason.MISSING_MEMBER);
    assertThat(missing).hasMessageContaining(member);
    UndecodableRecordException duplicate = undecodable(bytes(twice));
    assertThat(duplicate.reason()).isEqualTo(UndecodableReason.DUPLICATE_MEMBER);
    assertThat(duplicate).hasMessageContaining(member);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"payload_version\":1 | \"payload_version\":0 | PAYLOAD_VERSION_NOT_POSITIVE",
        "\"payload_version\":1 | \"payload_version\":-1 | PAYLOAD_VERSION_NOT_POSITIVE",
        "\"payload_version\":1 | \"payload_version\":-99999999999 | PAYLOAD_VERSION_NOT_POSITIVE",
        "\"payload_version\":1 | \"payload_version\":2147483648 | INVALID_MEMBER",
        "\"payload_version\":1 | \"payload_version\":1.0 | INVALID_MEMBER",
        "\"payload_version\":1 | \"payload_version\":\"1\" | INVALID_MEMBER",
        "\"payload_version\":1 | \"payload_version\":null | MISSING_MEMBER",
        "\"event_type\":\"order.placed\" | \"event_type\":\"\" | MISSING_MEMBER",
        "\"event_type\":\"order.placed\" | \"event_type\":null | MISSING_MEMBER",
        "\"event_type\":\"order.placed\" | \"event_type\":[] | INVALID_MEMBER",
        "\"event_id\":\"0193 | \"event_id\":\"193 | INVALID_MEMBER",
        "\"event_id\":\"0193 | \"event_id\":\"019z | INVALID_MEMBER",
        "2024-11-29T09:00:00.000Z | yesterday | INVALID_MEMBER",
        "{}} | {} | MALFORMED_JSON",
        "{}} | {}}x | MALFORMED_JSON",
        "{}} | {}}{} | MALFORMED_JSON",
        "{}} | [}} | MALFORMED_JSON",
        "{}} | 01} | MALFORMED_JSON",
        "{}} | \"x} | MALFORMED_JSON",
        "{}} | } | MALFORMED_JSON",
        "{}} | NaN} | MALFORMED_JSON"
      })
  void a_damaged_envelope_has_its_reason(String from, String to, UndecodableReason reason) {
    assertThat(MINIMAL).contains(from);
    assertThat(undecodable(bytes(MINIMAL.replace(from, to))).reason()).isEqualTo(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"[]", "\"text\"", "1", "null", "  ", "\uFEFF{}"})
  void a_value_that_is_no_object_is_refused(String value) {
    assertThat(undecodable(bytes(value)).reason()).isEqualTo(UndecodableReason.NOT_AN_OBJECT);
  }

  @Test
  void a_tombstone_an_empty_value_and_other_encodings_are_refused() {
    assertThat(catchUndecodable(() -> EnvelopeCodec.decode(null)).reason())
        .isEqualTo(UndecodableReason.EMPTY_VALUE);
    assertThat(undecodable(new byte[0]).reason()).isEqualTo(UndecodableReason.EMPTY_VALUE);
    assertThat(undecodable(MINIMAL.getBytes(StandardCharsets.UTF_16LE)).reason())
        .isEqualTo(UndecodableReason.MALFORMED_JSON);
    assertThat(undecodable(MINIMAL.getBytes(Charset.forName("UTF-32LE"))).reason())
        .isEqualTo(UndecodableReason.MALFORMED_JSON);
    assertThat(undecodable(new byte[] {'{', '"', (byte) 0xC3, '"'}).reason())
        .isEqualTo(UndecodableReason.INVALID_UTF8);
    assertThat(undecodable(new byte[] {(byte) 0xFF, 0, 1}).reason())
        .isEqualTo(UndecodableReason.INVALID_UTF8);
  }

  @Test
  void no_message_repeats_what_the_record_holds() {
    String marked = MINIMAL.replace("{}}", "{\"secret-marker\": secret-marker}");

    assertThat(undecodable(bytes(marked))).hasMessageNotContaining("secret").hasNoCause();
    assertThat(minimal("\"secret-marker\"").toString()).doesNotContain("secret-marker");
  }

  static Envelope minimal(String payload) {
    return new Envelope(
        EVENT,
        "order.placed",
        1,
        WORKSPACE,
        "order",
        "7",
        "order",
        "7",
        null,
        null,
        null,
        OCCURRED_AT,
        RawJson.of(payload));
  }

  private static Envelope decoded(byte[] value) {
    try {
      return EnvelopeCodec.decode(value);
    } catch (UndecodableRecordException e) {
      throw new AssertionError(e);
    }
  }

  private static UndecodableRecordException undecodable(byte[] value) {
    return catchUndecodable(() -> EnvelopeCodec.decode(value));
  }

  private static UndecodableRecordException catchUndecodable(
      org.assertj.core.api.ThrowableAssert.ThrowingCallable decode) {
    UndecodableRecordException thrown =
        catchThrowableOfType(UndecodableRecordException.class, decode);
    assertThat(thrown).isNotNull();
    return thrown;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static String text(byte[] utf8) {
    return new String(utf8, StandardCharsets.UTF_8);
  }
}
