package dev.onceward.event;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeFormatterBuilder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Envelopes to record values and back. The payload is never parsed into objects: it is spliced in
 * as it is and cut out as it is. Stateless; any thread.
 */
public final class EnvelopeCodec {
  /** RFC 3339 with exactly three digits of fraction, in UTC. */
  private static final DateTimeFormatter MILLISECONDS =
      new DateTimeFormatterBuilder().appendInstant(3).toFormatter();

  private static final int USUAL_SIZE_WITHOUT_PAYLOAD_BYTES = 640;

  private EnvelopeCodec() {}

  /**
   * The value of the record: one JSON object in UTF-8, without members that are null.
   *
   * @throws IllegalArgumentException if a text member holds an unpaired surrogate
   */
  public static byte[] encode(Envelope envelope) {
    byte[] payload = envelope.payload().sharedBytes();
    ObjectWriter out = new ObjectWriter(USUAL_SIZE_WITHOUT_PAYLOAD_BYTES + payload.length);
    out.text(EnvelopeMember.EVENT_ID, envelope.eventId().toString());
    out.text(EnvelopeMember.EVENT_TYPE, envelope.eventType());
    out.raw(
        EnvelopeMember.PAYLOAD_VERSION,
        Integer.toString(envelope.payloadVersion()).getBytes(StandardCharsets.US_ASCII));
    out.text(EnvelopeMember.WORKSPACE_ID, envelope.workspaceId().toString());
    out.text(EnvelopeMember.AGGREGATE_TYPE, envelope.aggregateType());
    out.text(EnvelopeMember.AGGREGATE_ID, envelope.aggregateId());
    out.text(EnvelopeMember.RESOURCE_TYPE, envelope.resourceType());
    out.text(EnvelopeMember.RESOURCE_ID, envelope.resourceId());
    out.text(EnvelopeMember.BUSINESS_KEY, envelope.businessKey());
    out.text(EnvelopeMember.REQUEST_ID, envelope.requestId());
    out.text(EnvelopeMember.CORRELATION_ID, envelope.correlationId());
    out.time(EnvelopeMember.OCCURRED_AT, envelope.occurredAt());
    out.raw(EnvelopeMember.PAYLOAD, payload);
    return out.end();
  }

  /**
   * Reads the value of a record.
   *
   * @param value the record's value; null (a tombstone) is undecodable
   * @throws UndecodableRecordException if it is no envelope; reading it again will not help
   */
  public static Envelope decode(byte @Nullable [] value) throws UndecodableRecordException {
    return EnvelopeReader.read(value);
  }

  /** Writes one flat object into one array. Confined to one call. */
  private static final class ObjectWriter {
    private static final int SECONDS_OF_DAY = 86_400;

    private byte[] out;
    private int size;

    ObjectWriter(int expectedBytes) {
      out = new byte[expectedBytes];
    }

    void text(EnvelopeMember member, @Nullable String value) {
      if (value == null) {
        return;
      }
      name(member);
      makeRoom(value.length() + 2);
      put('"');
      if (!putPlain(value)) {
        put(JsonStringEncoder.getInstance().quoteAsUTF8(value));
        makeRoom(1);
      }
      put('"');
    }

    /** Writes a text that needs no escape; of others nothing stays. */
    private boolean putPlain(String value) {
      for (int i = 0; i < value.length(); i++) {
        char character = value.charAt(i);
        if (character < ' ' || character > '~' || character == '"' || character == '\\') {
          size -= i;
          return false;
        }
        put(character);
      }
      return true;
    }

    /** As {@link #MILLISECONDS} has it, in a tenth of its time. */
    void time(EnvelopeMember member, Instant time) {
      LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(time.getEpochSecond(), SECONDS_OF_DAY));
      if (day.getYear() < 0 || day.getYear() > 9_999) {
        text(member, MILLISECONDS.format(time));
        return;
      }
      int second = Math.floorMod(time.getEpochSecond(), SECONDS_OF_DAY);
      name(member);
      makeRoom(26);
      put('"');
      putDigits(day.getYear(), 1_000, '-');
      putDigits(day.getMonthValue(), 10, '-');
      putDigits(day.getDayOfMonth(), 10, 'T');
      putDigits(second / 3_600, 10, ':');
      putDigits(second / 60 % 60, 10, ':');
      putDigits(second % 60, 10, '.');
      putDigits(time.getNano() / 1_000_000, 100, 'Z');
      put('"');
    }

    private void putDigits(int number, int highest, char behind) {
      for (int place = highest; place > 0; place /= 10) {
        put((char) ('0' + number / place % 10));
      }
      put(behind);
    }

    void raw(EnvelopeMember member, byte[] json) {
      name(member);
      put(json);
    }

    private void name(EnvelopeMember member) {
      String name = member.written();
      makeRoom(name.length());
      for (int i = 0; i < name.length(); i++) {
        put(name.charAt(i));
      }
      if (size == name.length()) {
        out[0] = '{';
      }
    }

    private void put(byte[] bytes) {
      makeRoom(bytes.length);
      System.arraycopy(bytes, 0, out, size, bytes.length);
      size += bytes.length;
    }

    private void put(char ascii) {
      out[size++] = (byte) ascii;
    }

    private void makeRoom(int bytes) {
      if (size + bytes > out.length) {
        out = Arrays.copyOf(out, Math.max(size + bytes, out.length + out.length / 2));
      }
    }

    byte[] end() {
      makeRoom(1);
      put('}');
      return Arrays.copyOf(out, size);
    }
  }
}
