package dev.onceward.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.exc.StreamReadException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads one envelope token by token. The parser keeps its nesting on the heap, so a deep payload
 * costs memory in proportion to its size and no stack. Confined to one call.
 */
final class EnvelopeReader {
  /**
   * No limits of the parser's own (the broker's record size is one), and no shared table of names
   * that hostile payloads could fill.
   */
  private static final JsonFactory JSON =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(Integer.MAX_VALUE)
                  .maxNumberLength(Integer.MAX_VALUE)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  private static final int UUID_LENGTH = 36;

  private final byte[] value;
  private final Map<EnvelopeMember, String> texts = new EnumMap<>(EnvelopeMember.class);
  private final Map<EnvelopeMember, Boolean> seen = new EnumMap<>(EnvelopeMember.class);
  private int payloadVersion;
  private @Nullable RawJson payload;

  private EnvelopeReader(byte[] value) {
    this.value = value;
  }

  static Envelope read(byte @Nullable [] value) throws UndecodableRecordException {
    if (value == null || value.length == 0) {
      throw new UndecodableRecordException(
          UndecodableReason.EMPTY_VALUE, "The record has no value, so it is no envelope");
    }
    requireUtf8(value);
    requireObject(value);
    EnvelopeReader reader = new EnvelopeReader(value);
    try (JsonParser parser = JSON.createParser(value)) {
      reader.readObject(parser);
    } catch (StreamReadException e) {
      long at = e.getLocation() == null ? -1 : e.getLocation().getByteOffset();
      throw new UndecodableRecordException(
          UndecodableReason.MALFORMED_JSON, "The value is no JSON text (near byte " + at + ")");
    } catch (IOException e) {
      throw new UncheckedIOException("Reading from memory failed", e);
    }
    return reader.envelope();
  }

  private void readObject(JsonParser parser) throws IOException, UndecodableRecordException {
    parser.nextToken();
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      EnvelopeMember member = EnvelopeMember.named(parser.currentName());
      JsonToken token = parser.nextToken();
      if (member == null) {
        parser.skipChildren();
        continue;
      }
      if (seen.put(member, Boolean.TRUE) != null) {
        throw new UndecodableRecordException(
            UndecodableReason.DUPLICATE_MEMBER,
            "The member " + member.jsonName() + " stands in the envelope more than once");
      }
      if (member == EnvelopeMember.PAYLOAD) {
        payload = cutOut(parser);
      } else if (token == JsonToken.VALUE_NULL) {
        seen.put(member, Boolean.FALSE);
      } else if (member == EnvelopeMember.PAYLOAD_VERSION) {
        payloadVersion = readVersion(parser, token);
      } else if (token == JsonToken.VALUE_STRING) {
        texts.put(member, parser.getText());
      } else {
        throw invalid(member, "must be a string");
      }
    }
    if (parser.nextToken() != null) {
      throw new UndecodableRecordException(
          UndecodableReason.MALFORMED_JSON, "Something follows the envelope's closing brace");
    }
  }

  /** The exact bytes of the value at which the parser stands. */
  private RawJson cutOut(JsonParser parser) throws IOException {
    int from = Math.toIntExact(parser.currentTokenLocation().getByteOffset());
    parser.skipChildren();
    parser.finishToken();
    int to = Math.toIntExact(parser.currentLocation().getByteOffset());
    return RawJson.copyOfRange(value, from, to);
  }

  private static int readVersion(JsonParser parser, JsonToken token)
      throws IOException, UndecodableRecordException {
    if (token == JsonToken.VALUE_NUMBER_INT) {
      boolean negative = parser.getText().startsWith("-");
      if (negative || parser.getText().equals("0")) {
        throw new UndecodableRecordException(
            UndecodableReason.PAYLOAD_VERSION_NOT_POSITIVE, "payload_version must be 1 or more");
      }
      try {
        return Integer.parseInt(parser.getText());
      } catch (NumberFormatException e) {
        // Falls through to the message below: more digits than an int has.
      }
    }
    throw invalid(EnvelopeMember.PAYLOAD_VERSION, "must be a whole number of at most 2147483647");
  }

  private Envelope envelope() throws UndecodableRecordException {
    UUID eventId = uuid(EnvelopeMember.EVENT_ID);
    String eventType = required(EnvelopeMember.EVENT_TYPE);
    if (!Boolean.TRUE.equals(seen.get(EnvelopeMember.PAYLOAD_VERSION))) {
      throw missing(EnvelopeMember.PAYLOAD_VERSION);
    }
    RawJson json = payload;
    if (json == null) {
      throw missing(EnvelopeMember.PAYLOAD);
    }
    return new Envelope(
        eventId,
        eventType,
        payloadVersion,
        uuid(EnvelopeMember.WORKSPACE_ID),
        required(EnvelopeMember.AGGREGATE_TYPE),
        required(EnvelopeMember.AGGREGATE_ID),
        required(EnvelopeMember.RESOURCE_TYPE),
        required(EnvelopeMember.RESOURCE_ID),
        texts.get(EnvelopeMember.BUSINESS_KEY),
        texts.get(EnvelopeMember.REQUEST_ID),
        texts.get(EnvelopeMember.CORRELATION_ID),
        instant(EnvelopeMember.OCCURRED_AT),
        json);
  }

  private String required(EnvelopeMember member) throws UndecodableRecordException {
    String text = texts.get(member);
    if (text == null || text.isEmpty()) {
      throw missing(member);
    }
    return text;
  }

  private UUID uuid(EnvelopeMember member) throws UndecodableRecordException {
    String text = required(member);
    try {
      if (text.length() == UUID_LENGTH) {
        return UUID.fromString(text);
      }
    } catch (IllegalArgumentException e) {
      // Falls through to the message below.
    }
    throw invalid(member, "must be a UUID of 36 characters");
  }

  private Instant instant(EnvelopeMember member) throws UndecodableRecordException {
    String text = required(member);
    try {
      return Instant.parse(text);
    } catch (DateTimeException e) {
      throw invalid(member, "must be an RFC 3339 time in UTC");
    }
  }

  private static void requireUtf8(byte[] value) throws UndecodableRecordException {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(value));
    } catch (CharacterCodingException e) {
      throw new UndecodableRecordException(
          UndecodableReason.INVALID_UTF8, "The value is not UTF-8, so it is no envelope");
    }
  }

  /** Also keeps the parser from guessing UTF-16 or UTF-32, which zero bytes would make it do. */
  private static void requireObject(byte[] value) throws UndecodableRecordException {
    int at = 0;
    while (at < value.length && isBlank(value[at])) {
      at++;
    }
    if (at == value.length || value[at] != '{') {
      throw new UndecodableRecordException(
          UndecodableReason.NOT_AN_OBJECT, "The value does not begin with the brace of an object");
    }
    for (int i = 0; i < Math.min(4, value.length); i++) {
      if (value[i] == 0) {
        throw new UndecodableRecordException(
            UndecodableReason.MALFORMED_JSON, "The value is no JSON text (near byte " + i + ")");
      }
    }
  }

  private static boolean isBlank(byte b) {
    return b == ' ' || b == '\t' || b == '\n' || b == '\r';
  }

  private static UndecodableRecordException missing(EnvelopeMember member) {
    return new UndecodableRecordException(
        UndecodableReason.MISSING_MEMBER, "The envelope has no " + member.jsonName());
  }

  private static UndecodableRecordException invalid(EnvelopeMember member, String rule) {
    return new UndecodableRecordException(
        UndecodableReason.INVALID_MEMBER, "The member " + member.jsonName() + " " + rule);
  }
}
