package dev.onceward.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SchemaValidatorsConfig;
import com.networknt.schema.SpecVersion;
import com.networknt.schema.ValidationMessage;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class EnvelopeSchemaTest {
  private static final JsonSchema SCHEMA = schema();

  @Test
  void encoded_envelopes_are_valid() {
    Envelope full =
        new Envelope(
            UUID.fromString("0193779f-0c04-7abc-8def-0123456789ab"),
            "store.credentials_submitted",
            Integer.MAX_VALUE,
            UUID.fromString("0193779f-0c00-7000-8000-000000000001"),
            "store",
            "Ünïcode 😀",
            "store",
            "7",
            "",
            "request",
            "correlation",
            Instant.ofEpochMilli(0),
            RawJson.of("[null,{\"a\":1e400}]"));

    assertThat(violations(text(full))).isEmpty();
    assertThat(violations(text(EnvelopeCodecTest.minimal("null")))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource(EnvelopeMember.class)
  void the_schema_knows_every_member_and_demands_those_that_decoding_demands(
      EnvelopeMember member) {
    String valid = text(EnvelopeCodecTest.minimal("{}"));
    boolean optional = !valid.contains("\"" + member.jsonName() + "\":");
    String without = valid.replace("\"" + member.jsonName() + "\":", "\"other\":");

    assertThat(SCHEMA.getSchemaNode().at("/properties").has(member.jsonName())).isTrue();
    assertThat(violations(without).isEmpty()).isEqualTo(optional);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "\"payload_version\":1 | \"payload_version\":0",
        "\"payload_version\":1 | \"payload_version\":1.5",
        "order.placed | Order.placed",
        "order.placed | order..placed",
        "\"aggregate_type\":\"order\" | \"aggregate_type\":\"or.der\"",
        "\"event_id\":\"0193779f | \"event_id\":\"193779f",
        "2024-11-29T09:00:00.000Z | 2024-11-29T09:00:00.000",
        "2024-11-29 | 2024-13-29"
      })
  void the_schema_refuses_what_the_table_and_the_codec_refuse(String from, String to) {
    String valid = text(EnvelopeCodecTest.minimal("{}"));

    assertThat(valid).contains(from);
    assertThat(violations(valid.replace(from, to))).isNotEmpty();
  }

  private static Set<ValidationMessage> violations(String json) {
    return SCHEMA.validate(
        json,
        InputFormat.JSON,
        context -> context.getExecutionConfig().setFormatAssertionsEnabled(true));
  }

  private static String text(Envelope envelope) {
    return new String(EnvelopeCodec.encode(envelope), StandardCharsets.UTF_8);
  }

  private static JsonSchema schema() {
    return JsonSchemaFactory.getInstance(SpecVersion.VersionFlag.V202012)
        .getSchema(
            EventSchemas.envelope(), InputFormat.JSON, SchemaValidatorsConfig.builder().build());
  }
}
